import { expect, it } from 'vitest';
import type { UsualRun } from './estimate.ts';
import { usualOfSilent } from './silent-hosts.ts';

const run = (p95: number, share = 1): UsualRun => ({
  ...{ total: 60_000, lead: 1_000, hosts: 10 },
  steps: new Map([['copy', { at: 0, ms: p95, p95, share }]]),
});
const working = { step: 1, name: 'Copy', line: 1, ofPlay: 10, answered: 9, total: 1, hosts: ['web-1'] };

it('a host is silent after five times the 95th percentile of the step and at least 30 seconds', () => {
  const slow = [run(10_000), run(10_000), run(90_000)];
  expect([49_999, 50_000].map((passed) => usualOfSilent(slow, 'copy', working, passed))).toEqual([undefined, 10_000]);
  const fast = [run(100), run(100), run(100)];
  expect([29_999, 30_000].map((passed) => usualOfSilent(fast, 'copy', working, passed))).toEqual([undefined, 100]);
});

it('no host is silent in a step that fewer than three runs had, or when each host has answered', () => {
  const runs = [run(100), run(100), run(100)];
  expect(usualOfSilent(runs.slice(1), 'copy', working, 60_000)).toBeUndefined();
  expect(usualOfSilent(runs, 'other', working, 60_000)).toBeUndefined();
  expect(usualOfSilent(runs, 'copy', { ...working, answered: 10, total: 0 }, 60_000)).toBeUndefined();
});

it('no host is silent in a step that concerns only some hosts of its play', () => {
  const rescue = [run(100, 0.1), run(100, 0.1), run(100, 0.1)];
  expect(usualOfSilent(rescue, 'copy', { ...working, answered: 0, total: 10 }, 60_000)).toBeUndefined();
  expect(usualOfSilent(rescue, 'copy', { ...working, answered: 0, total: 1 }, 60_000)).toBe(100);
});
