import type { HostRecord } from '@signalbox/contract';
import type { HostOutcome, Run, Step } from './results/run-model.ts';
import { badOutcomes } from './results/run-model.ts';

/** The same message of the same step, with all hosts that returned it. */
export interface Failure {
  readonly step: Step;
  readonly message: string;
  readonly unreachable: boolean;
  readonly hosts: readonly string[];
  /** First line of the message in the log. */
  readonly line: number;
  /** Number of the last log line of the first host's result. */
  readonly lastLine: number;
}

/** Groups the fetched failures of a long run like those of a run with all results loaded. */
export const failuresAmong = (run: Run, records: readonly HostRecord[]): Failure[] => {
  const byStep = Map.groupBy(records, ({ step }) => step);
  const steps = run.steps
    .filter(({ step }) => byStep.has(step))
    .map((step): Step => ({ ...step, hosts: byStep.get(step.step) ?? [] }));
  return failuresOf({ ...run, steps, recap: undefined });
};

/** The log lines of the outcome that is first in the log. */
const linesOf = (outcomes: readonly HostOutcome[]): Pick<Failure, 'line' | 'lastLine'> => {
  const line = Math.min(...outcomes.map((outcome) => outcome.line));
  const first = outcomes.find((outcome) => outcome.line === line);
  return { line, lastLine: Math.max(line, first?.last_line ?? line) };
};

/** The failures, grouped by step and message, in the order in which they happened. */
export const failuresOf = (run: Run): Failure[] => {
  const groups = new Map<string, { step: Step; outcomes: HostOutcome[] }>();
  for (const step of run.steps) {
    for (const outcome of badOutcomes(run, step)) {
      const key = `${step.step} ${outcome.result} ${outcome.message}`;
      const group = groups.get(key);
      if (group) group.outcomes.push(outcome);
      else groups.set(key, { step, outcomes: [outcome] });
    }
  }
  return [...groups.values()].map(({ step, outcomes }) => ({
    step,
    message: outcomes[0]?.message ?? '',
    unreachable: outcomes[0]?.result === 'unreachable',
    hosts: outcomes.map(({ host }) => host),
    ...linesOf(outcomes),
  }));
};
