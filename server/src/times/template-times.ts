import type { SlowerSince, SlowHost, SlowStep } from '@signalbox/contract';
import { MAX_SLOWEST } from '@signalbox/contract/limits';
import { lowerMedian } from '../median.ts';
import type { RunTimes, StepTimes } from './run-times.ts';
import { slowerSince } from './slower-since.ts';
import { decodeTimes } from './times-codec.ts';

/** A stored run: its times are encoded. */
export interface StoredRun {
  readonly task_id: number;
  readonly total: number;
  readonly times: string;
}

/** Where the time of some runs goes, the oldest first. */
export interface TimesOfRuns {
  readonly steps: readonly SlowStep[];
  readonly hosts: readonly SlowHost[];
  readonly slower: Pick<SlowerSince, 'task_id' | 'before_id' | 'before_ms' | 'after_ms' | 'steps'> | undefined;
}

interface Run extends Pick<StoredRun, 'task_id' | 'total'> {
  readonly steps: ReadonlyMap<string, StepTimes>;
  readonly hosts: RunTimes['slowest'];
}

/** Newest runs whose median is the usual time. */
const USUAL = 10;
/** Steps that account for a difference, from this part of it on. */
const CAUSES = 5;
const CAUSE_SHARE = 0.1;

/** The newest run of each key, and its values in all runs. */
interface Series {
  readonly newest: Run;
  readonly step: StepTimes;
  readonly trend: readonly (number | null)[];
}

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

const seriesOf = (runs: readonly Run[]): Series[] => {
  const newest = new Map<string, Run>();
  for (const run of runs) for (const key of run.steps.keys()) newest.set(key, run);
  return [...newest].flatMap(([key, run]) => {
    const step = run.steps.get(key);
    return step ? [{ newest: run, step, trend: runs.map(({ steps }) => steps.get(key)?.ms ?? null) }] : [];
  });
};

const slowSteps = (series: readonly Series[], usualTotal: number): SlowStep[] =>
  series
    .filter(({ trend }) => known(trend.slice(-USUAL)).length > 0)
    .map(({ newest, step, trend }): SlowStep => {
      const usual_ms = lowerMedian(known(trend.slice(-USUAL)));
      return {
        ...{ play: step.play, name: step.name, path: step.path, task_id: newest.task_id, step: step.step },
        ...{ usual_ms, share: usualTotal > 0 ? Math.min(1, usual_ms / usualTotal) : 0, trend: [...trend] },
      };
    })
    .sort((a, b) => b.usual_ms - a.usual_ms)
    .slice(0, MAX_SLOWEST);

const slowHosts = (runs: readonly Run[]): SlowHost[] => {
  const found = new Map<string, { task_id: number; ms: number[]; waitedFor: number[] }>();
  for (const { task_id, hosts } of runs.slice(-USUAL))
    for (const { host, ms, waitedFor } of hosts) {
      const own = found.get(host) ?? { task_id, ms: [], waitedFor: [] };
      found.set(host, { task_id, ms: [...own.ms, ms], waitedFor: [...own.waitedFor, waitedFor] });
    }
  return [...found]
    .map(([host, { task_id, ms, waitedFor }]): SlowHost => {
      return { host, usual_ms: lowerMedian(ms), waited_for_ms: lowerMedian(waitedFor), task_id, runs: ms.length };
    })
    .sort((a, b) => b.waited_for_ms - a.waited_for_ms || b.usual_ms - a.usual_ms)
    .slice(0, MAX_SLOWEST);
};

const slowerOf = (runs: readonly Run[], series: readonly Series[]): TimesOfRuns['slower'] => {
  const totals = runs.map(({ total }) => total);
  const at = slowerSince(totals);
  const [before, first] = [runs[(at ?? 0) - 1], runs[at ?? -1]];
  if (at === undefined || !before || !first) return undefined;
  const [before_ms, after_ms] = [lowerMedian(totals.slice(0, at)), lowerMedian(totals.slice(at))];
  const steps = series
    .map(({ newest, step, trend }) => ({
      ...{ play: step.play, name: step.name, step: step.step, task_id: newest.task_id },
      before_ms: lowerMedian(trend.slice(0, at).map((value) => value ?? 0)),
      after_ms: lowerMedian(trend.slice(at).map((value) => value ?? 0)),
    }))
    .filter((step) => step.after_ms - step.before_ms >= (after_ms - before_ms) * CAUSE_SHARE)
    .sort((a, b) => b.after_ms - b.before_ms - (a.after_ms - a.before_ms))
    .slice(0, CAUSES);
  return { task_id: first.task_id, before_id: before.task_id, before_ms, after_ms, steps };
};

/** Computes where the time of runs goes. */
export const timesOfRuns = async (stored: readonly StoredRun[]): Promise<TimesOfRuns> => {
  const runs = await Promise.all(
    stored.map(async ({ task_id, total, times }): Promise<Run> => {
      const { steps, slowest } = await decodeTimes(times);
      return { task_id, total, hosts: slowest, steps: new Map(steps.map((step) => [step.key, step])) };
    }),
  );
  const series = seriesOf(runs);
  const usualTotal = lowerMedian(runs.slice(-USUAL).map(({ total }) => total));
  return { steps: slowSteps(series, usualTotal), hosts: slowHosts(runs), slower: slowerOf(runs, series) };
};
