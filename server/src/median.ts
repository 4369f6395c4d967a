const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** The value in the middle, the upper one of two; undefined for none. */
export const upperMedian = (values: readonly number[]): number | undefined =>
  sorted(values)[Math.floor(values.length / 2)];

/** The value in the middle, the lower one of two; 0 for none. */
export const lowerMedian = (values: readonly number[]): number =>
  sorted(values)[Math.floor((values.length - 1) / 2)] ?? 0;
