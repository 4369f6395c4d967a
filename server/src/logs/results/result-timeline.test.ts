import type { ResultRecord } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { openLogStore } from '../../testing/database/log-stores.ts';
import { ResultIndex } from './result-index.ts';
import { buildTimeline, pageOfTimeline } from './result-timeline.ts';

/** A run in which each host needs its own number of seconds for each step. A line of 0 is a free strategy. */
const runOf = (seconds: Readonly<Record<string, readonly number[]>>, line = 1): ResultRecord[] => {
  const hosts = Object.entries(seconds);
  const records: ResultRecord[] = [{ kind: 'play', at: 1_000, line: 1, play: 1, name: 'Web', hosts: hosts.length }];
  let at = 1_000;
  for (let step = 1; step <= (hosts[0]?.[1].length ?? 0); step += 1) {
    const shared = { line, step } as const;
    records.push({ kind: 'step', at, ...shared, play: 1, name: `Step ${step}`, action: 'apt', handler: false });
    const ends = hosts.map(([host, own]) => ({ host, end: at + (own[step - 1] ?? 0) * 1_000 }));
    for (const { host, end } of ends.toSorted((a, b) => a.end - b.end))
      records.push({ kind: 'host', at: end, ...shared, host, result: 'ok', message: '' });
    at = Math.max(...ends.map(({ end }) => end));
  }
  return [...records, { kind: 'stats', at, line: 9, hosts: {} }];
};

const indexOf = (records: readonly ResultRecord[]): ResultIndex => {
  const index = new ResultIndex();
  for (const record of records) index.take(record);
  return index;
};
const ALL = { first: 1, limit: 100, firstStep: 1, stepLimit: 100 };
const RUN = runOf({ 'web-1': [1, 1], 'web-2': [2, 9], 'web-3': [5, 2] });

it('names the slowest host of each step, and how long the others waited for it', async () => {
  const index = indexOf(RUN);
  const page = pageOfTimeline(index, await buildTimeline(index), ALL);
  expect(
    page.steps.map(({ at, end, slowest, waited, p50 }) => [at, end, slowest?.host, slowest?.ms, waited, p50]),
  ).toEqual([
    [0, 5_000, 'web-3', 5_000, 7_000, 2_000],
    [5_000, 14_000, 'web-2', 9_000, 15_000, 2_000],
  ]);
  expect(page).toMatchObject({ started: 1_000, complete: true, ms: 14_000, total_steps: 2, total: 3 });
  expect(
    page.hosts.map(({ host, ms, waited_for_ms, times, cells }) => [host, ms, waited_for_ms, times, cells]),
  ).toEqual([
    ['web-2', 11_000, 7_000, [2_000, 9_000], 'oo'],
    ['web-3', 7_000, 3_000, [5_000, 2_000], 'oo'],
    ['web-1', 2_000, 0, [1_000, 1_000], 'oo'],
  ]);
});

it('with a free strategy no host waits for another, and pages contain some hosts and steps', async () => {
  const index = indexOf(runOf({ 'web-1': [1, 1], 'web-2': [2, 9] }, 0));
  const page = pageOfTimeline(index, await buildTimeline(index), { first: 2, limit: 1, firstStep: 2, stepLimit: 1 });
  expect(page.steps.map(({ step, waited }) => [step, waited])).toEqual([[2, 0]]);
  expect(page.hosts.map(({ host, times }) => [host, times])).toEqual([['web-1', [1_000]]]);
  expect(page).toMatchObject({ first: 2, total: 2, first_step: 2, total_steps: 2 });
});

it('an unreachable host is not the one that the others waited for', async () => {
  const records = runOf({ 'web-1': [1, 1], 'web-2': [2, 3], 'web-3': [9, 0] }).flatMap((record): ResultRecord[] => {
    if (record.kind !== 'host' || record.host !== 'web-3') return [record];
    return record.step === 1 ? [{ ...record, result: 'unreachable' }] : [];
  });
  const index = indexOf(records);
  const page = pageOfTimeline(index, await buildTimeline(index), ALL);
  expect(page.steps.map(({ slowest, waited, hosts }) => [slowest?.host, waited, hosts])).toEqual([
    ['web-2', 1_000, 2],
    ['web-2', 2_000, 2],
  ]);
  const unreachable = page.hosts.find(({ host }) => host === 'web-3');
  expect(unreachable).toMatchObject({ waited_for_ms: 0, cells: 'u.', times: [9_000, null] });
});

it('a page of 1,000 hosts and 100 steps is read from the timeline that was computed before', async () => {
  const times = Array.from({ length: 100 }, (_, step) => 1 + (step % 3));
  const index = indexOf(runOf(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`web-${at}`, times]))));
  const timeline = await buildTimeline(index);
  const before = performance.now();
  const page = pageOfTimeline(index, timeline, ALL);
  console.info(`page of 100 hosts and 100 steps: ${(performance.now() - before).toFixed(1)} ms`);
  expect([page.hosts.length, page.hosts[0]?.times.length, page.total]).toEqual([100, 100, 1_000]);
});

describeEachDatabase('the timeline of a run', (makeLocation) => {
  it('grows with the results of the run', async () => {
    const logs = await openLogStore(makeLocation);
    const half = RUN.slice(0, 3);
    await logs.appendResults({ taskId: 1, epoch: 1, first: 1, records: half });
    expect(await logs.resultTimeline(1, ALL)).toMatchObject({ complete: false, total: 1, total_steps: 1 });
    await logs.appendResults({ taskId: 1, epoch: 1, first: half.length + 1, records: RUN.slice(half.length) });
    expect(await logs.resultTimeline(1, ALL)).toMatchObject({ complete: true, total: 3, total_steps: 2 });
  });
});
