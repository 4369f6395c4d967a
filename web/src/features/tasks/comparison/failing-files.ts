import type { StepPair, Task } from '@signalbox/contract';

/** The files of the steps that failed on a host in one of two runs. */
export const failingFiles = (steps: readonly StepPair[]): ReadonlySet<string> =>
  new Set(
    steps
      .filter(({ earlier, later }) => (earlier?.counts.failed ?? 0) + (later?.counts.failed ?? 0) > 0)
      .map(({ path }) => path.replace(/:\d+$/, '')),
  );

/** The files that the error messages of two tasks name. */
export const namedFiles = (...tasks: readonly Pick<Task, 'end_reason'>[]): ReadonlySet<string> =>
  new Set(tasks.flatMap(({ end_reason: reason }) => (reason && 'file' in reason.params ? [reason.params.file] : [])));
