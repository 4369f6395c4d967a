import { expect, it } from 'vitest';
import { KINDS, planRun, VICTIMS } from './plan.ts';

const plan = (seed: number, runs = 300) => Array.from({ length: runs }, (_, number) => planRun(seed, number));

it('a crash plan depends only on its seed; a longer plan begins with the shorter one', () => {
  expect(plan(7)).toEqual(plan(7));
  expect(plan(7, 100)).toEqual(plan(7).slice(0, 100));
  expect(plan(8)).not.toEqual(plan(7));
});

it('a crash plan kills every kind of process in every phase, and leaves some runs undisturbed', () => {
  const runs = plan(1, 1000);
  const [kills, stops] = [runs.flatMap((run) => run.kills), runs.flatMap((run) => run.stop ?? [])];
  expect(new Set(runs.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  expect(new Set(kills.map(({ victim }) => victim))).toEqual(new Set(VICTIMS));
  expect(new Set(stops.map(({ phase }) => phase))).toEqual(new Set(['waiting', 'fetching', 'galaxy', 'playbook']));
  expect(new Set(stops.map(({ force }) => force))).toEqual(new Set([true, false]));
  expect(runs.filter((run) => run.kills.length === 0 && !run.stop).length).toBeGreaterThan(50);
});
