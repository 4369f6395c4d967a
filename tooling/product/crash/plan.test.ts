import { expect, it } from 'vitest';
import { KINDS, planRun, VICTIMS } from './plan.ts';

const plan = (seed: number, runs = 300) => Array.from({ length: runs }, (_, number) => planRun(seed, number));

it('is the same for the same seed, however long it is, and another one for another seed', () => {
  expect(plan(7)).toEqual(plan(7));
  expect(plan(7, 100)).toEqual(plan(7).slice(0, 100));
  expect(plan(8)).not.toEqual(plan(7));
});

it('harms everything that takes part, in every phase, and lets some runs be', () => {
  const runs = plan(1, 1000);
  const [blows, stops] = [runs.flatMap((run) => run.blows), runs.flatMap((run) => run.stop ?? [])];
  expect(new Set(runs.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  expect(new Set(blows.map(({ victim }) => victim))).toEqual(new Set(VICTIMS));
  expect(new Set(stops.map(({ phase }) => phase))).toEqual(new Set(['waiting', 'fetching', 'galaxy', 'playbook']));
  expect(new Set(stops.map(({ force }) => force))).toEqual(new Set([true, false]));
  expect(runs.filter((run) => run.blows.length === 0 && !run.stop).length).toBeGreaterThan(50);
});
