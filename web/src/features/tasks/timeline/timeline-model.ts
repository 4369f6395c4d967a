import type { TimelineHost, TimelineStep } from '@signalbox/contract';

/** What one host did in one step. Times are in milliseconds after the start of the run. */
export interface Part {
  readonly step: TimelineStep;
  readonly from: number;
  /** When its result arrived. */
  readonly done: number;
  /** Until when it waited for the slowest host of the step; for an unreachable host until it was reached again. */
  readonly to: number;
  readonly letter: string;
}

/** Letters of results after which a host does not take part in the rest of the play. */
const FAILED = 'f';
const UNREACHABLE = 'u';

/** Whether the host could not be reached in a part, and from then on. */
export const isUnreachable = ({ letter }: Pick<Part, 'letter'>): boolean => letter === UNREACHABLE;

/** A row of the chart: a host, or all hosts that are not shown on their own. */
export interface TimelineRow {
  /** Undefined for the row of all others. */
  readonly host: TimelineHost | undefined;
  /** Number of hosts of the row. */
  readonly count: number;
  readonly parts: readonly Part[];
}

/** Until when a host waits, or is unreachable, after its result. With a free strategy, which has no lines, none waits. */
const endOf = (
  steps: readonly TimelineStep[],
  times: readonly (number | null)[],
  at: number,
  letter: string,
): number => {
  if (letter === FAILED) return 0;
  if (letter !== UNREACHABLE) return steps[at]?.line === 0 ? 0 : (steps[at]?.end ?? 0);
  const next = times.findIndex((ms, position) => position > at && ms !== null);
  return next < 0 ? (steps.at(-1)?.end ?? 0) : (steps[next]?.at ?? 0);
};

const makeParts = (steps: readonly TimelineStep[], times: readonly (number | null)[], cells: string): Part[] => {
  const parts: Part[] = [];
  let last = 0;
  for (const [at, step] of steps.entries()) {
    const ms = times[at] ?? null;
    if (ms === null) continue;
    const from = Math.max(step.at, last);
    last = from + ms;
    const letter = cells[at] ?? 'o';
    parts.push({ step, from, done: last, to: Math.max(last, endOf(steps, times, at, letter)), letter });
  }
  return parts;
};

export const rowOfHost = (steps: readonly TimelineStep[], host: TimelineHost): TimelineRow => ({
  ...{ host, count: 1 },
  parts: makeParts(steps, host.times, host.cells),
});

/** The hosts that are not shown on their own, with the median time of each step. */
export const rowOfOthers = (steps: readonly TimelineStep[], count: number): TimelineRow => ({
  ...{ host: undefined, count },
  parts: makeParts(
    steps,
    steps.map(({ hosts, p50 }) => (hosts > 1 ? p50 : null)),
    '',
  ),
});

/** Position of the part of a row at a time; undefined between two parts. */
export const partAt = ({ parts }: TimelineRow, ms: number): number | undefined => {
  const found = parts.findLastIndex(({ from }) => from <= ms);
  return found >= 0 && ms <= (parts[found]?.to ?? 0) ? found : undefined;
};

const NICE = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 43_200, 86_400];

/** Times at which the axis has a label, at least so many milliseconds apart. */
export const ticksOf = (total: number, apart: number): number[] => {
  const seconds = NICE.find((nice) => nice * 1000 >= apart) ?? Math.ceil(apart / 86_400_000) * 86_400;
  return Array.from({ length: Math.floor(total / (seconds * 1000)) + 1 }, (_, at) => at * seconds * 1000);
};

/** Part of the run that a step took, in percent. */
export const shareOf = ({ at, end }: TimelineStep, total: number): number =>
  total > 0 ? Math.round((100 * Math.max(0, end - at)) / total) : 0;
