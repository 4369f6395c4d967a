import type { Task } from '@signalbox/contract';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MatrixResult, MatrixSort } from '../../../ui/tasks/matrix-url.ts';
import type { Run } from '../results/run-model.ts';
import { inSlices } from './in-slices.ts';
import { type Column, drawnColumns, stepColumns } from './matrix-columns.ts';
import { countResults, filterHosts } from './matrix-filter.ts';
import { type Group, groupHosts, type KeyedHost } from './matrix-groups.ts';
import type { MatrixHost } from './matrix-host.ts';
import { HostKeys, hasConflict, type RunningStep } from './matrix-model.ts';
import { targetedHosts } from './matrix-plays.ts';

export interface MatrixOptions {
  readonly foldsAlike: boolean;
  readonly foldsRoles: boolean;
  readonly result: MatrixResult | undefined;
  readonly fits: ((host: string) => boolean) | undefined;
  readonly sort: MatrixSort;
}

export interface Matrix {
  readonly columns: readonly Column[];
  readonly hosts: readonly KeyedHost[];
  readonly groups: readonly Group[];
  readonly counts: Readonly<Record<MatrixResult, number>>;
  /** Number of hosts that match the filters. */
  readonly matching: number;
}

/** The step that a task works on; undefined after its end. */
const runningStep = (run: Run, isRunning: boolean): RunningStep | undefined => {
  const step = run.steps.at(-1);
  const play = run.plays.at(-1);
  if (!isRunning || run.recap || !step || !play || step.end !== undefined) return undefined;
  return {
    position: run.steps.length - 1,
    first: run.steps.length - play.steps.length,
    isForAll: play.hosts >= (run.long?.hosts.total ?? run.hosts.length),
    names: play.names && new Set(play.names),
  };
};

/** The groups of a run. They are made in slices: those of the last results are shown until the new ones are ready. */
export const useMatrix = (
  run: Run,
  status: Task['status'],
  hosts: readonly MatrixHost[] | undefined,
  { foldsAlike, foldsRoles, result, fits, sort }: MatrixOptions,
): Matrix | undefined => {
  const [matrix, setMatrix] = useState<Matrix>();
  const [areMerged, setAreMerged] = useState(true);
  const keys = useRef<HostKeys>(null);
  // A new result makes a new run, but its columns are the same until a step starts.
  const shape = run.steps.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns depend on the steps only
  const steps = useMemo(() => stepColumns(run, areMerged), [shape, run.plays.length, areMerged]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: which hosts a play targets is known when its step starts
  const plays = useMemo(() => targetedHosts(run), [shape, run.plays.length, run.recap]);
  const columns = useMemo(() => drawnColumns(steps, foldsRoles), [steps, foldsRoles]);
  const isRunning = status === 'running' || status === 'stopping';
  // biome-ignore lint/correctness/useExhaustiveDependencies: it changes with the steps only
  const running = useMemo(() => runningStep(run, isRunning), [shape, run.recap, isRunning, run.steps.at(-1)?.end]);
  useLayoutEffect(() => {
    if (!hosts) return;
    keys.current ??= new HostKeys();
    const all = keys.current;
    const work = function* (): Generator<void, Matrix | undefined> {
      const keyed = yield* all.keyed(hosts, columns, running, plays);
      yield;
      if (areMerged && hasConflict(hosts, steps)) return undefined;
      const counts = countResults(keyed);
      yield;
      const matching = filterHosts(keyed, result, fits);
      yield;
      const groups = yield* groupHosts(matching, foldsAlike, sort);
      return { columns, hosts: keyed, groups, counts, matching: matching.length };
    };
    return inSlices(work(), (made) => (made ? setMatrix(made) : setAreMerged(false)));
  }, [hosts, columns, steps, running, plays, areMerged, result, fits, foldsAlike, sort]);
  return matrix;
};
