/** The smallest round number (1, 2 or 5 times a power of ten) that is not below a value. */
export const roundUp = (value: number): number => {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
};

/** Steps of a time axis, in seconds: round numbers of seconds, minutes and hours. */
const DURATIONS = [10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 28_800, 86_400];

/** The smallest round duration that is not below a duration, in seconds. */
export const roundUpDuration = (seconds: number): number =>
  DURATIONS.find((known) => known >= seconds) ?? Math.ceil(seconds / 86_400) * 86_400;

/** Indexes of the days that are labelled on the axis: the first, the middle and the last. */
export const labelledDays = (count: number): number[] =>
  [...new Set([0, Math.floor((count - 1) / 2), count - 1])].filter((index) => index >= 0 && index < count);
