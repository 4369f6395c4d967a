/** Whether a text is empty or a whole number from 1 to a maximum. */
export const isCountText = (text: string, max: number): boolean =>
  text.trim() === '' || (/^[1-9]\d*$/.test(text.trim()) && Number(text) <= max);

/** Most hosts that a run can handle at once. */
export const MAX_FORKS = 1000;

/** Seconds as minutes for an input; empty for 0, which means no limit. */
export const minutesText = (seconds: number): string =>
  seconds === 0 ? '' : String(Math.round((seconds / 60) * 100) / 100);

/** Whether a text is empty or a number of minutes. Both a comma and a point separate decimals. */
export const isMinutesText = (text: string): boolean => /^\d*([.,]\d+)?$/.test(text.trim());

/** The seconds of minutes in an input; 0 for an empty one. */
export const secondsOf = (minutes: string): number => Math.round(Number(minutes.trim().replace(',', '.') || '0') * 60);

/** The priorities that a task can have, the highest first. */
export const PRIORITIES: readonly number[] = Array.from({ length: 21 }, (_, index) => 10 - index);

/** A number with its sign, such as `+5` or `−5`; 0 has none. */
export const signedText = (number: number): string => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : '0');
