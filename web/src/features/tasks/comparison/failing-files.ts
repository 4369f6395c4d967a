import type { StepPair } from '@signalbox/contract';

/** The files of the steps that failed on a host in one of two runs. */
export const failingFiles = (steps: readonly StepPair[]): ReadonlySet<string> =>
  new Set(
    steps
      .filter(({ earlier, later }) => (earlier?.counts.failed ?? 0) + (later?.counts.failed ?? 0) > 0)
      .map(({ path }) => path.replace(/:\d+$/, '')),
  );
