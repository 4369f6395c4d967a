import { lowerMedian } from '../median.ts';

/** Runs before and from the first slower one on that are needed, so that single outliers do not count. */
const MIN_BEFORE = 5;
const MIN_AFTER = 5;
/** A template is slower from this factor and so many milliseconds on. */
const SLOWER = 1.2;
const SLOWER_MS = 2_000;
/** Part of the runs of each side that are on its side of the middle, so that runs that vary do not count. */
const SEPARATE = 0.7;

const spread = (values: readonly number[]): number => {
  const middle = lowerMedian(values);
  return values.reduce((sum, value) => sum + Math.abs(value - middle), 0);
};

/**
 * Returns the position of the first run from which all runs together are slower than before; undefined without one.
 * The split leaves the smallest distances to the medians of both sides, which outliers change little.
 * @param totals times of runs, the oldest first
 */
export const slowerSince = (totals: readonly number[]): number | undefined => {
  let best: { readonly at: number; readonly rest: number } | undefined;
  for (let at = MIN_BEFORE; at <= totals.length - MIN_AFTER; at += 1) {
    const rest = spread(totals.slice(0, at)) + spread(totals.slice(at));
    if (!best || rest < best.rest) best = { at, rest };
  }
  if (!best) return undefined;
  const [before, after] = [totals.slice(0, best.at), totals.slice(best.at)];
  const [old, now] = [lowerMedian(before), lowerMedian(after)];
  if (now < old * SLOWER || now - old < SLOWER_MS) return undefined;
  const middle = (old + now) / 2;
  const isSeparate = (values: readonly number[], isOn: (value: number) => boolean): boolean =>
    values.filter(isOn).length >= values.length * SEPARATE;
  return isSeparate(before, (ms) => ms < middle) && isSeparate(after, (ms) => ms > middle) ? best.at : undefined;
};
