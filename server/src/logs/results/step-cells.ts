import { type ResultIndex, UNREACHABLE } from './result-index.ts';

/** The results of a step: the positions of the hosts, and their times in milliseconds. */
export interface StepCells {
  readonly hosts: number[];
  readonly times: number[];
}

/**
 * Returns the results of each step, in the order of the steps, without those of unreachable hosts: their time is that of the
 * connection, not of the step.
 */
export const cellsBySteps = (index: ResultIndex): StepCells[] => {
  const cells = index.steps.map((): StepCells => ({ hosts: [], times: [] }));
  for (const [host, entry] of index.hosts.entries())
    for (let at = 0; at < entry.length; at += 1) {
      const { step, cell, ms } = entry.at(at);
      if (cell === UNREACHABLE) continue;
      const own = cells[index.positionOf(step) ?? -1];
      own?.hosts.push(host);
      own?.times.push(ms);
    }
  return cells;
};

/**
 * Whether the hosts of a step wait for the slowest one. With a free strategy steps have no line in the log, because
 * each host is at another one.
 */
export const isWaitedFor = ({ line }: { readonly line: number }): boolean => line > 0;
