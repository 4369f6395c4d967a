import { expect, it } from 'vitest';
import { type Estimate, estimate, type UsualRun } from './estimate.ts';
import type { StepStart } from './run-times.ts';

/** Returns a generator of numbers from 0 to 1 that are the same in each run of the test. */
const seeded = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return seed / 4_294_967_296;
};

/** A factor around 1, spread as the times of a step usually are. */
const around = (random: () => number, spread: number): number =>
  Math.exp(spread * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));

interface History {
  readonly name: string;
  /** How much the steps of a run differ between runs. */
  readonly spread: number;
  /** How much whole runs differ. */
  readonly runs?: number;
  /** Chance that a step takes ten times as long. */
  readonly outliers?: number;
  /** Chance that an optional step, each fourth one, runs. */
  readonly optional?: number;
}

const simulate = (random: () => number, { spread, runs = 0, outliers = 0, optional = 1 }: History, usual: number[]) => {
  const pace = around(random, runs);
  const steps: StepStart[] = [];
  let at = 5_000 * around(random, spread);
  const lead = at;
  for (const [number, ms] of usual.entries()) {
    if (number % 4 === 3 && random() > optional) continue;
    const took = ms * pace * around(random, spread) * (random() < outliers ? 10 : 1);
    steps.push({ key: String(number), step: number + 1, at, end: at + took });
    at += took;
  }
  return { lead, steps, total: at + 1_000 };
};

const usualOf = ({ lead, steps, total }: ReturnType<typeof simulate>): UsualRun => ({
  ...{ lead, total, hosts: 10 },
  steps: new Map(steps.map(({ key, at, end }) => [key, { at: at - lead, ms: (end ?? at) - at, p95: 0, share: 1 }])),
});

const at = (run: ReturnType<typeof simulate>, runs: readonly UsualRun[], now: number): Estimate | undefined => {
  const steps = run.steps
    .filter((step) => step.at <= now)
    .map((step) => (step.end !== null && step.end > now ? { ...step, end: null } : step));
  return estimate(runs, { elapsed: now, now, hosts: 10, steps, ended: null });
};

const HISTORIES: readonly History[] = [
  { name: 'regular', spread: 0.1 },
  { name: 'noisy steps', spread: 0.4 },
  { name: 'slow and fast runs', spread: 0.1, runs: 0.3 },
  { name: 'optional steps', spread: 0.1, optional: 0.5 },
  { name: 'outliers', spread: 0.1, outliers: 0.01 },
];

/** Mean error of the expected end in percent of the length of the run, at parts of the run. */
const errorsOf = (history: History): number[] => {
  const random = seeded(7);
  const errors = [0, 0, 0];
  const count = 200;
  for (let trial = 0; trial < count; trial += 1) {
    const usual = Array.from({ length: 40 }, () => 500 * around(random, 1.2));
    const runs = Array.from({ length: 6 }, () => usualOf(simulate(random, history, usual)));
    const run = simulate(random, history, usual);
    for (const [position, share] of [0.25, 0.5, 0.75].entries()) {
      const now = run.total * share;
      const error = Math.abs(now + (at(run, runs, now)?.remaining ?? 0) - run.total) / run.total;
      errors[position] = (errors[position] ?? 0) + (100 * error) / count;
    }
  }
  return errors.map((error) => Math.round(error * 10) / 10);
};

it('the expected end of simulated runs is off by at most 15 percent at half-time', () => {
  const table = HISTORIES.map((history) => [history.name, ...errorsOf(history)] as const);
  console.info(['error in %: 25, 50 and 75 % of the run', ...table.map((row) => row.join(' '))].join('\n'));
  for (const [name, , half] of table) expect(half, name).toBeLessThan(15);
  expect(table[0]?.[2]).toBeLessThan(4);
});

const STEPS = [4_000, 10_000, 6_000];
const known = (total = 21_000, hosts = 10): UsualRun => ({
  ...{ total, lead: 1_000, hosts },
  steps: new Map(
    STEPS.map((ms, number) => [String(number), { at: [0, 4_000, 14_000][number] ?? 0, ms, p95: ms, share: 1 }]),
  ),
});
const RUNS = [known(), known(), known()];
const second = { key: '1', step: 2, at: 5_000, end: null };
const first = { key: '0', step: 1, at: 1_000, end: 5_000 };

it('the end is unknown with fewer than three runs', () => {
  const now = { elapsed: 8_000, now: 8_000, hosts: 10, steps: [first, second], ended: null };
  expect(estimate(RUNS.slice(1), now)).toBeUndefined();
  expect(estimate(RUNS, now)).toEqual({ remaining: 13_000, isLonger: false, usualStep: 10_000 });
});

it('a run that is twice as slow so far is expected to stay slower', () => {
  const steps = [
    { ...first, end: 9_000 },
    { ...second, at: 9_000 },
  ];
  const slow = estimate(RUNS, { elapsed: 9_000, now: 9_000, hosts: 10, steps, ended: null });
  expect(slow?.remaining).toBeGreaterThan(20_000);
  expect(slow?.remaining).toBeLessThan(32_000);
});

it('a step that exceeds its longest time is longer than usual', () => {
  const so = (now: number) => estimate(RUNS, { elapsed: now, now, hosts: 10, steps: [first, second], ended: null });
  expect([so(15_500)?.isLonger, so(20_500)?.isLonger]).toEqual([false, true]);
  expect(so(20_500)?.remaining).toBeGreaterThan(6_000);
});

it('a run that exceeds the longest one is longer than usual, also if its step does not', () => {
  const so = (elapsed: number) => {
    const steps = [
      { ...first, end: elapsed - 2_000 },
      { ...second, at: elapsed - 1_000 },
    ];
    return estimate(RUNS, { elapsed, now: elapsed, hosts: 10, steps, ended: null })?.isLonger;
  };
  expect([so(28_000), so(28_500)]).toEqual([false, true]);
});

it('runs with as many hosts count more than others', () => {
  const runs = [known(210_000, 100), known(210_000, 100), known(21_000, 10), known(21_000, 10)];
  const now = { elapsed: 1_000, now: 1_000, hosts: 10, steps: [{ ...first, end: null }], ended: null };
  expect(estimate(runs, now)?.remaining).toBe(20_000);
});

it('after the final counts only the end of the task remains', () => {
  const steps = [first, { ...second, end: 15_000 }, { key: '2', step: 3, at: 15_000, end: 21_000 }];
  const runs = RUNS.map((run) => ({ ...run, total: 23_000 }));
  const late = (now: number) => estimate(runs, { elapsed: now, now, hosts: 10, steps, ended: 21_000 });
  expect(late(21_500)).toEqual({ remaining: 1_500, isLonger: false, usualStep: null });
  expect(late(26_000)?.isLonger).toBe(true);
});
