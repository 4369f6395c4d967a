import {
  type HostTimes,
  MAX_TIMED_STEPS,
  quantileOf,
  type RunSoFar,
  type RunTimes,
  type StepTimes,
  stepKeys,
} from '../../times/run-times.ts';
import type { IndexedStep, ResultIndex } from './result-index.ts';
import { cellsBySteps, isWaitedFor } from './step-cells.ts';
import { workingHosts } from './working-hosts.ts';

/** Hosts of a step, and of a run, that are named. */
const NAMED_OF_STEP = 5;
const NAMED_OF_RUN = 200;

/** Returns the key of each step. */
const keysOf = (index: ResultIndex): string[] => {
  const keyOf = stepKeys();
  const plays = new Map(index.plays.map(({ play, name }) => [play, name]));
  return index.steps
    .slice(0, MAX_TIMED_STEPS)
    .map(({ play, name, action }) => keyOf(plays.get(play) ?? '', name, action));
};

/** Returns the steps of a run that continues, from a number on. */
export const runSoFar = (index: ResultIndex, first: number): RunSoFar => ({
  hosts: index.plays.at(-1)?.hosts ?? 0,
  total: index.steps.length,
  steps: keysOf(index)
    .slice(first - 1)
    .map((key, at) => {
      const { step, at: start, end } = index.steps[first - 1 + at] as IndexedStep;
      return { key, step, at: start, end };
    }),
  ended: index.recap?.at ?? null,
  working: workingHosts(index),
});

/** Returns how long each step and host of a run took. Lets other work go first after each hundred steps. */
export const timesOf = async (index: ResultIndex): Promise<RunTimes> => {
  const started = index.plays[0]?.at ?? null;
  const keys = keysOf(index);
  const plays = new Map(index.plays.map(({ play, name }) => [play, name]));
  const ofHosts = index.hosts.map(({ host }) => ({ host, ms: 0, waitedFor: 0 }));
  const steps: StepTimes[] = [];
  for (const [at, { hosts, times }] of cellsBySteps(index).slice(0, MAX_TIMED_STEPS).entries()) {
    const step = index.steps[at] as IndexedStep;
    const order = hosts.map((_, position) => position).sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0));
    const sorted = order.map((position) => times[position] ?? 0).reverse();
    const slowest = order.slice(0, NAMED_OF_STEP).map((position): [string, number] => {
      return [index.hosts[hosts[position] ?? 0]?.host ?? '', times[position] ?? 0];
    });
    for (const [position, host] of hosts.entries()) {
      const own = ofHosts[host];
      if (own) own.ms += times[position] ?? 0;
    }
    const last = ofHosts[hosts[order[0] ?? -1] ?? -1];
    if (last && order.length > 1 && isWaitedFor(step))
      last.waitedFor += (slowest[0]?.[1] ?? 0) - (slowest[1]?.[1] ?? 0);
    const start = started ?? step.at;
    steps.push({
      ...{ key: keys[at] ?? '', step: step.step, play: plays.get(step.play) ?? '', name: step.name },
      ...{ path: step.path ?? '', at: Math.round(step.at - start) },
      ms: Math.max(0, Math.round((step.end ?? index.recap?.at ?? step.at) - step.at)),
      ...{ hosts: hosts.length, p50: quantileOf(sorted, 0.5), p95: quantileOf(sorted, 0.95), slowest },
    });
    if (at % 100 === 99) await new Promise(setImmediate);
  }
  const slowest: HostTimes[] = ofHosts.sort((a, b) => b.ms - a.ms).slice(0, NAMED_OF_RUN);
  const changed = index.steps.reduce((sum, { counts }) => sum + counts.changed, 0);
  return { started, hosts: index.hosts.length, changed, steps, slowest };
};
