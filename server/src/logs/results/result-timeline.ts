import type { RunTimeline, TimelineHost, TimelineStep } from '@signalbox/contract';
import { quantileOf } from '../../times/run-times.ts';
import type { HostEntry } from './host-entry.ts';
import type { IndexedStep, ResultIndex } from './result-index.ts';
import { lettersOf } from './result-pages.ts';
import { cellsBySteps, isWaitedFor } from './step-cells.ts';

/** Hosts and steps by their number in the order of the answer, from 1. */
export interface TimelineQuery {
  readonly first: number;
  readonly limit: number;
  readonly firstStep: number;
  readonly stepLimit: number;
}

/** What every page of a timeline needs: computed once for a number of records. */
export interface Timeline {
  readonly next: number;
  readonly steps: readonly TimelineStep[];
  /** Sums of each host, by its position. */
  readonly sums: readonly { readonly ms: number; readonly waited_for_ms: number }[];
  /** Positions of the hosts in the order of the answer. */
  readonly order: readonly number[];
  /** Estimated size in memory. */
  readonly bytes: number;
}

/** Estimated size of a step and of a host in memory. */
const STEP_BYTES = 300;
const HOST_BYTES = 80;

/** Steps after which other work goes first. */
const STEPS_AT_ONCE = 50;

/** Computes which host the others waited for in each step. */
export const buildTimeline = async (index: ResultIndex): Promise<Timeline> => {
  const started = index.plays[0]?.at ?? index.steps[0]?.at ?? 0;
  const sums = index.hosts.map(() => ({ ms: 0, waited_for_ms: 0 }));
  const steps: TimelineStep[] = [];
  for (const [at, { hosts, times }] of cellsBySteps(index).entries()) {
    const { step, play, name, line, ...own } = index.steps[at] as IndexedStep;
    let sum = 0;
    let slowest = -1;
    for (const [position, ms] of times.entries()) {
      sum += ms;
      const of = sums[hosts[position] ?? -1];
      if (of) of.ms += ms;
      if (ms > (times[slowest] ?? -1)) slowest = position;
    }
    const sorted = Float64Array.from(times).sort();
    const most = times[slowest] ?? 0;
    const last = sums[hosts[slowest] ?? -1];
    if (last && isWaitedFor({ line })) last.waited_for_ms += most - (sorted.at(-2) ?? most);
    const host = hosts[slowest];
    steps.push({
      ...{ step, play, name, line, hosts: times.length, p50: quantileOf(sorted, 0.5) },
      at: Math.round(own.at - started),
      end: Math.round((own.end ?? own.at + most) - started),
      slowest: host === undefined ? null : { number: host + 1, host: index.hosts[host]?.host ?? '', ms: most },
      waited: isWaitedFor({ line }) ? most * times.length - sum : 0,
    });
    if (at % STEPS_AT_ONCE === STEPS_AT_ONCE - 1) await new Promise(setImmediate);
  }
  const order = sums
    .map((_, position) => position)
    .sort(
      (a, b) =>
        (sums[b]?.waited_for_ms ?? 0) - (sums[a]?.waited_for_ms ?? 0) || (sums[b]?.ms ?? 0) - (sums[a]?.ms ?? 0),
    );
  return { next: index.next, steps, sums, order, bytes: steps.length * STEP_BYTES + sums.length * HOST_BYTES };
};

const timesOf = (index: ResultIndex, entry: HostEntry, first: number, count: number): (number | null)[] => {
  const times = Array.from({ length: count }, (): number | null => null);
  for (let at = 0; at < entry.length; at += 1) {
    const { step, ms } = entry.at(at);
    const position = (index.positionOf(step) ?? -1) - first;
    if (position >= 0 && position < count) times[position] = (times[position] ?? 0) + ms;
  }
  return times;
};

/** Returns a page of a timeline. */
export const pageOfTimeline = (index: ResultIndex, timeline: Timeline, query: TimelineQuery): RunTimeline => {
  const { first, limit, firstStep, stepLimit } = query;
  const steps = timeline.steps.slice(firstStep - 1, firstStep - 1 + stepLimit);
  const hosts = timeline.order.slice(first - 1, first - 1 + limit).flatMap((position): TimelineHost[] => {
    const entry = index.hosts[position];
    const sums = timeline.sums[position];
    if (!entry || !sums) return [];
    const cells = lettersOf(index, entry, firstStep - 1, steps.length);
    return [
      {
        number: position + 1,
        host: entry.host,
        ...sums,
        cells,
        times: timesOf(index, entry, firstStep - 1, steps.length),
      },
    ];
  });
  const started = index.plays[0]?.at ?? null;
  const lastStep = timeline.steps.reduce((end, step) => Math.max(end, step.end), 0);
  const end = index.recap && started !== null ? Math.round(index.recap.at - started) : 0;
  return {
    ...{ started, complete: index.recap !== undefined, ms: Math.max(end, lastStep) },
    ...{ first_step: firstStep, total_steps: timeline.steps.length, steps },
    ...{ first, total: index.hosts.length, hosts },
  };
};
