import { MIN_RUNS } from '@signalbox/contract/limits';
import type { StepStart } from './run-times.ts';

/** An ended run of the template, with which a running one is compared. Times are in milliseconds. */
export interface UsualRun {
  readonly total: number;
  /** From the start of the task to the first play. */
  readonly lead: number;
  readonly hosts: number;
  readonly steps: ReadonlyMap<string, UsualStep>;
}

/** A step of an ended run. Times are in milliseconds. */
export interface UsualStep {
  /** Since the first play. */
  readonly at: number;
  readonly ms: number;
  /** Time within which 95% of its hosts ended it. */
  readonly p95: number;
  /** Part of the hosts of its play that had a result, from 0 to 1. */
  readonly share: number;
}

export interface RunNow {
  /** Since the start of the task. */
  readonly elapsed: number;
  /** By the clock of the runner. */
  readonly now: number;
  /** Number of hosts of the newest play. */
  readonly hosts: number;
  readonly steps: readonly StepStart[];
  /** When the playbook has ended; null while it runs. */
  readonly ended: number | null;
}

export interface Estimate {
  /** Milliseconds until the expected end. */
  readonly remaining: number;
  /** Whether the run, or its current step, takes longer than in every run that it is compared with. */
  readonly isLonger: boolean;
  /** Usual time of the current step; null if it is unknown. */
  readonly usualStep: number | null;
}

export const MAX_RUNS = 10;

/** Each run counts this much of the next newer one. */
const RECENCY = 0.8;

/** A step is longer than usual beyond this part of the longest one, and so many milliseconds. */
const LONGER = 1.25;
const LONGER_MS = 2_000;

type Weighted = readonly [value: number, weight: number];

/** The value that half of the weight does not exceed; 0 for none. */
const medianOf = (values: readonly Weighted[]): number => {
  const sorted = values.toSorted(([a], [b]) => a - b);
  const half = sorted.reduce((sum, [, weight]) => sum + weight, 0) / 2;
  let passed = 0;
  for (const [value, weight] of sorted) {
    passed += weight;
    if (passed >= half) return value;
  }
  return 0;
};

/** How much a run counts: recent runs, and those with as many hosts and the same steps, count most. */
const weightsOf = (runs: readonly UsualRun[], { hosts, steps }: RunNow): number[] =>
  runs.map((run, age) => {
    const known = steps.filter(({ key }) => run.steps.has(key)).length;
    const alike = steps.length === 0 ? 1 : (known + 1) / (steps.length + 1);
    const ratio = hosts > 0 && run.hosts > 0 ? Math.min(hosts, run.hosts) / Math.max(hosts, run.hosts) : 1;
    return RECENCY ** age * ratio ** 2 * alike ** 4;
  });

/**
 * How much slower this run is than usual, from its ended steps. One very slow step does not change it, and it counts
 * the more, the more of the run has passed.
 */
const paceOf = (runs: readonly UsualRun[], weights: readonly number[], { steps }: RunNow): number => {
  const ratios: Weighted[] = [];
  let passed = 0;
  for (const { key, at, end } of steps) {
    if (end === null) continue;
    const usual = medianOf(runs.flatMap((run, of) => timesOf(run, key, weights[of])));
    if (usual <= 0) continue;
    ratios.push([Math.min(20, Math.max(0.05, (end - at) / usual)), usual]);
    passed += usual;
  }
  const total = medianOf(runs.map(({ total }, at) => [total, weights[at] ?? 0]));
  const share = total > 0 ? Math.min(1, passed / total) : 0;
  return ratios.length === 0 ? 1 : medianOf(ratios) ** (share / (share + 0.15));
};

const timesOf = (run: UsualRun, key: string, weight = 0): Weighted[] => {
  const step = run.steps.get(key);
  return step ? [[step.ms, weight]] : [];
};

/** What remains of a part that has taken `passed`: the mean of the longer ones among the usual times. */
const restOf = (usual: readonly Weighted[], passed: number): number => {
  const most = medianOf(usual) * 2.5;
  const longer = usual
    .map(([value, weight]): Weighted => [Math.min(value, most), weight])
    .filter(([value]) => value > passed);
  const weight = longer.reduce((sum, [, own]) => sum + own, 0);
  if (weight === 0) return passed * 0.05;
  return longer.reduce((sum, [value, own]) => sum + (value - passed) * own, 0) / weight;
};

const isLonger = (usual: readonly Weighted[], passed: number): boolean =>
  usual.length > 0 && passed > Math.max(...usual.map(([value]) => value)) * LONGER + LONGER_MS;

/** Returns when a run is expected to end, from the newest runs first; undefined if too few runs are known. */
export const estimate = (runs: readonly UsualRun[], now: RunNow): Estimate | undefined => {
  if (runs.length < MIN_RUNS) return undefined;
  const weights = weightsOf(runs, now);
  const pace = paceOf(runs, weights, now);
  const current = now.steps.at(-1);
  /** The part that runs now in each run, and what follows it. */
  const parts = runs.map((run, of): { own: Weighted[]; rest: Weighted } => {
    const weight = weights[of] ?? 0;
    if (!current) return { own: [[run.lead, weight]], rest: [run.total - run.lead, weight] };
    const last = now.steps.findLast(({ key }) => run.steps.has(key));
    const step = last && run.steps.get(last.key);
    if (!step) return { own: [], rest: [run.total - run.lead, weight] };
    const rest = Math.max(0, run.total - run.lead - step.at - step.ms);
    return { own: last === current ? [[step.ms, weight]] : [], rest: [rest, weight] };
  });
  const totals = runs.map(({ total }, of): Weighted => [total, weights[of] ?? 0]);
  const usual = parts.flatMap(({ own }) => own);
  const rest = medianOf(parts.map((part) => part.rest));
  if (now.ended !== null) {
    const passed = Math.max(0, now.now - now.ended);
    return { remaining: Math.max(0, rest - passed), isLonger: passed > rest * LONGER + LONGER_MS, usualStep: null };
  }
  const passed = current ? Math.max(0, Math.min(now.now - current.at, now.elapsed)) : now.elapsed;
  const paced = usual.map(([value, weight]): Weighted => [value * pace, weight]);
  return {
    remaining: (paced.length === 0 ? 0 : restOf(paced, passed)) + rest * pace,
    isLonger: isLonger(paced, passed) || isLonger(totals, now.elapsed),
    usualStep: current && usual.length > 0 ? Math.round(medianOf(usual)) : null,
  };
};
