import type { SeenRun } from './run-watch.ts';

/** What is known of a task before it runs. */
export interface KnownTask {
  readonly project: number;
  readonly template: number;
  readonly locks: readonly string[];
  /** Whether other tasks of the template may run at the same time. */
  readonly isParallel: boolean;
}

export interface Limits {
  /** Slots of each runner. */
  readonly slots: number;
  /** Maximum number of tasks of a project at once; 0 for no limit. */
  readonly ofProject: ReadonlyMap<number, number>;
}

/** Finds limits that running playbooks exceed. A task that is not known yet counts for its runner only. */
export const exceededBy = (
  runs: readonly SeenRun[],
  tasks: ReadonlyMap<number, KnownTask>,
  limits: Limits,
): string[] => {
  const holders = new Map<string, number[]>();
  const add = (what: string, task: number) => holders.set(what, [...(holders.get(what) ?? []), task]);
  const most = new Map<string, number>();
  for (const { task, runner } of runs) {
    add(`runner ${runner}`, task);
    most.set(`runner ${runner}`, limits.slots);
    const known = tasks.get(task);
    if (!known) continue;
    const ofProject = limits.ofProject.get(known.project) ?? 0;
    if (ofProject > 0) {
      add(`project ${known.project}`, task);
      most.set(`project ${known.project}`, ofProject);
    }
    if (!known.isParallel) add(`template ${known.template}`, task);
    for (const lock of known.locks) add(`${lock} of project ${known.project}`, task);
  }
  return [...holders]
    .filter(([what, held]) => held.length > (most.get(what) ?? 1))
    .map(([what, held]) => `${what} had ${held.length} tasks at once: ${held.toSorted((a, b) => a - b).join(', ')}`);
};
