import { MIN_RUNS } from '@signalbox/contract/limits';
import type { UsualRun } from './estimate.ts';
import { quantileOf, type WorkingHosts } from './run-times.ts';

/** A host is silent after this many times the 95th percentile of the step, and at least so many milliseconds. */
export const SILENT_TIMES = 5;
export const SILENT_MS = 30_000;

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/**
 * Returns within how many milliseconds 95% of the hosts usually end the step that runs now, if those without a result
 * are silent; undefined if they are not, or if fewer than three runs had this step.
 * @param passed milliseconds since the step started
 */
export const usualOfSilent = (
  runs: readonly UsualRun[],
  key: string,
  { answered, total, ofPlay }: WorkingHosts,
  passed: number,
): number | undefined => {
  const known = runs.flatMap(({ steps }) => steps.get(key) ?? []);
  if (known.length < MIN_RUNS || total === 0 || passed < SILENT_MS) return undefined;
  // A step may concern only some hosts of its play, such as those of a rescue section. Then it is unknown which ones.
  const share = quantileOf(sorted(known.map((step) => step.share)), 0.5);
  if (answered + total > Math.round(share * ofPlay)) return undefined;
  const usual = quantileOf(sorted(known.map(({ p95 }) => p95)), 0.5);
  return passed >= usual * SILENT_TIMES ? usual : undefined;
};
