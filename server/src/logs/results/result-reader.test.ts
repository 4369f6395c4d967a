import type { ResultRecord, RunSummary } from '@signalbox/contract';
import { expect, it, onTestFinished } from 'vitest';
import { openState } from '../../composition/storage.ts';
import { readConfig } from '../../config.ts';
import type { Logs } from '../../database/database.ts';
import { logsFileCapabilities, openLogsFile } from '../../database/logs-file.ts';
import { describeEachDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { openLogStore } from '../../testing/database/log-stores.ts';
import { sampleHost, sampleRun } from '../../testing/sample-results.ts';
import { databaseLogStore } from '../database-log.store.ts';
import type { LogStore } from '../log-store.ts';
import { HOSTS_BY_NAME } from './result-pages.ts';

const BATCH = 200;

const store = async (logs: LogStore, taskId: number, records: readonly ResultRecord[]): Promise<void> => {
  const { next_result } = await logs.head(taskId);
  const writes: Promise<unknown>[] = [];
  for (let at = 0; at < records.length; at += BATCH) {
    const first = next_result + at;
    writes.push(logs.appendResults({ taskId, epoch: 1, first, records: records.slice(at, at + BATCH) }));
  }
  await Promise.all(writes);
};

const first = { first: 1, limit: 1000 };

/** Everything that the pages return for a run. */
const reported = async (logs: LogStore, taskId: number) => ({
  summary: await logs.resultSummary(taskId),
  steps: await logs.resultSteps(taskId, 1, 1000),
  hosts: await logs.resultHosts(taskId, { ...HOSTS_BY_NAME, ...first, stepLimit: 1000 }),
  failures: await logs.resultFailures(taskId, 1, 1000),
});

/** A store that can be switched to refuse writes. */
const openFullStore = async (makeLocation: MakeLocation): Promise<{ logs: LogStore; fill: () => void }> => {
  const { folder, databaseUrl } = await makeLocation();
  const config = readConfig({ SIGNALBOX_DATA: folder, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) });
  const state = await openState(config, () => undefined);
  const apart = state.capabilities.logsApart ? openLogsFile(folder) : undefined;
  const { lockEach, tidy } = apart ? logsFileCapabilities : state.capabilities;
  let isFull = false;
  const lockOrFail: typeof lockEach = async (...locks) => {
    if (isFull) throw new Error('no space is left');
    await lockEach(...locks);
  };
  const logs = databaseLogStore(apart ?? (state.autocommit as unknown as Logs), { lockEach: lockOrFail, tidy });
  onTestFinished(async () => {
    await logs.close();
    await apart?.destroy();
    await state.close();
  });
  return {
    logs,
    fill: () => {
      isFull = true;
    },
  };
};

describeEachDatabase('the pages of results', (makeLocation) => {
  it('count hosts and steps, and return each cell', async () => {
    const logs = await openLogStore(makeLocation);
    await store(logs, 1, sampleRun({ hosts: 5, steps: 3 }));
    const { summary, steps, hosts, failures } = await reported(logs, 1);
    expect(summary).toEqual<RunSummary>({
      results: 17,
      complete: true,
      recap_line: 40,
      recap_at: expect.any(Number) as number,
      steps: 3,
      hosts: { total: 5, ok: 3, changed: 1, failed: 1, unreachable: 1, rescued: 0, ignored: 0, skipped: 0 },
      failures: 2,
      plays: [expect.objectContaining({ play: 1, name: 'Sample', steps: 3, bad: 2, hosts: 5 }) as never],
    });
    expect(
      steps.steps.map(({ name, counts, end }) => [name, counts.ok, counts.changed, counts.failed, end !== null]),
    ).toEqual([
      ['Step 1', 4, 0, 0, true],
      ['Step 2', 2, 1, 1, true],
      ['Step 3', 3, 0, 0, true],
    ]);
    expect(hosts.hosts.map(({ host, ok, cells }) => [host, ok, cells])).toEqual([
      ['web-0', 3, 'ooo'],
      ['web-1', 3, 'oco'],
      ['web-2', 1, 'of.'],
      ['web-3', 0, 'u..'],
      ['web-4', 3, 'ooo'],
    ]);
    expect(failures.records.map(({ host, message }) => [host, message])).toEqual([
      ['web-3', 'no route'],
      ['web-2', 'broken'],
    ]);
  });

  it('sort by trouble, filter, and return any window', async () => {
    const logs = await openLogStore(makeLocation);
    await store(logs, 1, sampleRun({ hosts: 12, steps: 4 }));
    const names = async (change: object) => {
      const page = await logs.resultHosts(1, { ...HOSTS_BY_NAME, ...first, ...change });
      return [page.total, ...page.hosts.map(({ host, cells }) => host.replace('web-', '') + cells)];
    };
    expect(await names({ sort: 'trouble', order: undefined, limit: 4 })).toEqual([12, '2', '3', '0', '1']);
    expect(await names({ sort: 'host', first: 10, limit: 9 })).toEqual([12, '9', '10', '11']);
    expect(await names({ sort: 'changed', order: undefined, limit: 2 })).toEqual([12, '1', '0']);
    expect(await names({ outcome: 'failed' })).toEqual([1, '2']);
    expect(await names({ outcome: 'trouble' })).toEqual([2, '2', '3']);
    expect(await names({ outcome: 'ok', name: 'WEB-1' })).toEqual([3, '1', '10', '11']);
    expect(await names({ name: 'web-2', firstStep: 2, stepLimit: 2 })).toEqual([1, '2f.']);
    expect(await names({ name: 'nobody' })).toEqual([0]);
    expect((await logs.resultSteps(1, 3, 1)).steps.map(({ step }) => step)).toEqual([3]);
  });

  it('return the hosts with newer results in a stable order, and the time that each took', async () => {
    const logs = await openLogStore(makeLocation);
    const at = (host: string, step: number, ms: number): ResultRecord => ({
      ...{ kind: 'host', at: ms, line: 1, step, host, result: 'ok', message: '' },
    });
    const step = (number: number, ms: number): ResultRecord => ({
      ...{ kind: 'step', at: ms, line: 1, step: number, play: 1, name: 's', action: 'a', handler: false },
      path: 'site.yml:4',
    });
    const play: ResultRecord = { kind: 'play', at: 0, line: 1, play: 1, name: 'p', hosts: 3 };
    await store(logs, 1, [play, step(1, 0), at('b', 1, 30), at('a', 1, 50)]);
    const { results } = await logs.resultSummary(1);
    await store(logs, 1, [step(2, 100), at('c', 2, 200), at('b', 2, 300)]);
    const pageOf = async (after: number | undefined) =>
      (await logs.resultHosts(1, { ...HOSTS_BY_NAME, ...first, sort: 'number', after })).hosts;
    expect((await pageOf(undefined)).map(({ host, ms }) => [host, ms])).toEqual([
      ['b', 230],
      ['a', 50],
      ['c', 100],
    ]);
    expect((await pageOf(results)).map(({ number, host }) => [number, host])).toEqual([
      [1, 'b'],
      [3, 'c'],
    ]);
    expect((await logs.resultSteps(1, 1, 1)).steps[0]?.path).toBe('site.yml:4');
  });

  it('return the results of a host or of one of its steps, and nothing for an unknown host', async () => {
    const logs = await openLogStore(makeLocation);
    await store(logs, 1, sampleRun({ hosts: 700, steps: 5 }));
    const { hosts } = await logs.resultHosts(1, { ...HOSTS_BY_NAME, ...first, name: sampleHost(2) });
    const number = hosts.find(({ host }) => host === sampleHost(2))?.number ?? 0;
    const all = await logs.resultsOfHost(1, number, undefined, 1, 100);
    expect(all?.records.map(({ host, step, result }) => [host, step, result])).toEqual([
      ['web-2', 1, 'ok'],
      ['web-2', 2, 'failed'],
    ]);
    expect((await logs.resultsOfHost(1, number, 2, 1, 100))?.records.map(({ message }) => message)).toEqual(['broken']);
    expect(await logs.resultsOfHost(1, number, undefined, 2, 1)).toMatchObject({
      first: 2,
      total: 2,
      records: [{ step: 2 }],
    });
    expect(await logs.resultsOfHost(1, 5000, undefined, 1, 100)).toBeUndefined();
    expect(await logs.resultsOfHost(9, 1, undefined, 1, 100)).toBeUndefined();
  });

  it('grow with the run, and are the same when they are read from storage', async () => {
    const logs = await openLogStore(makeLocation);
    const records = sampleRun({ hosts: 400, steps: 12 });
    await store(logs, 1, records.slice(0, 1500));
    expect(await logs.resultSummary(1)).toMatchObject({ results: 1500, complete: false });
    await store(logs, 1, records.slice(1500));
    const before = await reported(logs, 1);
    expect(before.summary).toMatchObject({ results: records.length, complete: true });
    await logs.closeLog(1);
    expect(await reported(logs, 1)).toEqual(before);
    // Once from the stored index, once from the records only.
    expect(await reported(await logs.reopen(), 1)).toEqual(before);
    expect(await logs.results(1, 4000, 3)).toEqual(records.slice(3999, 4002));
  });

  it('are returned even if the index cannot be stored, which is reported', async () => {
    const { logs, fill } = await openFullStore(makeLocation);
    const records = sampleRun({ hosts: 400, steps: 6 });
    await store(logs, 1, records);
    await logs.closeLog(1);
    fill();
    const warnings: string[] = [];
    const onError = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', onError);
    onTestFinished(() => void process.off('warning', onError));
    expect((await reported(logs, 1)).summary).toMatchObject({ results: records.length, complete: true });
    await expect.poll(() => warnings).toContainEqual(expect.stringContaining('no space is left'));
  });

  it('disappear when the run is removed', async () => {
    const logs = await openLogStore(makeLocation);
    await store(logs, 1, sampleRun({ hosts: 5, steps: 3 }));
    await logs.closeLog(1);
    expect((await logs.resultSummary(1)).results).toBe(17);
    await logs.remove([1]);
    expect(await logs.resultSummary(1)).toMatchObject({ results: 0, hosts: { total: 0 } });
  });

  it('do not count failures that an older runner could not report as rescued', async () => {
    const logs = await openLogStore(makeLocation);
    const [play, step] = sampleRun({ hosts: 1, steps: 1 }) as [ResultRecord, ResultRecord];
    const stats = { ok: 1, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 1, unreachable: 0 };
    const failed = { kind: 'host', at: 1, line: 1, step: 1, host: 'a', result: 'failed', message: 'x' } as const;
    await store(logs, 1, [play, step, failed]);
    expect((await logs.resultFailures(1, 1, 10)).total).toBe(1);
    await store(logs, 1, [{ kind: 'stats', at: 2, line: 9, hosts: { a: stats } }]);
    expect((await logs.resultFailures(1, 1, 10)).total).toBe(0);
    expect((await logs.resultSummary(1)).hosts).toMatchObject({ ok: 1, failed: 0, rescued: 1 });
  });
});
