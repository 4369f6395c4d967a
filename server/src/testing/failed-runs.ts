import type { Failure, HostStats, ResultRecord, TaskStatus } from '@signalbox/contract';
import { expect, vi } from 'vitest';
import { failuresHandler } from '../features/failures/failures.handler.ts';
import { HOSTS_BY_NAME } from '../logs/results/result-pages.ts';
import type { MakeLocation } from './database/databases.ts';
import { sampleProject } from './sample-project.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const STATS: HostStats = { ok: 0, changed: 0, failures: 1, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };

export const failedOn = (host: string, message: string, result: 'failed' | 'unreachable' = 'failed'): ResultRecord => ({
  ...{ kind: 'host', at: 2000, line: 4, step: 1, host, result, message },
});

export const TIMEOUT = 'ssh: connect to host web-3 port 22: Connection timed out';

/** The begin of a run of one step that three hosts fail, two of them for the same reason. */
export const START: ResultRecord[] = [
  { kind: 'play', at: 1000, line: 1, play: 1, name: 'All', hosts: 3 },
  {
    kind: 'step',
    at: 1000,
    line: 2,
    step: 1,
    play: 1,
    name: 'Upgrade',
    action: 'apt',
    handler: false,
    path: 'site.yml:3',
  },
];
export const RECORDS: ResultRecord[] = [
  ...START,
  failedOn('web-1', 'Could not get lock /var/lib/dpkg/lock. It is held by process 22 (apt)'),
  failedOn('web-2', 'Could not get lock /var/lib/dpkg/lock. It is held by process 7 (unattended-upgr)'),
  failedOn('web-3', TIMEOUT, 'unreachable'),
  { kind: 'stats', at: 3000, line: 9, hosts: { 'web-1': STATS, 'web-2': STATS, 'web-3': STATS } },
];

/** A run of the step that succeeds on hosts. */
export const goodOn = (...hosts: string[]): ResultRecord[] => [
  ...START,
  ...hosts.map((host) => ({ kind: 'host', at: 2000, line: 4, step: 1, host, result: 'ok', message: '' }) as const),
];
export const GOOD = goodOn('web-1', 'web-2', 'web-3');

/** Ends a task with these results, and stores its failures as the outbox does. */
export const endRun = async (
  { storage: { database, logs } }: TestServer,
  id: number,
  records: readonly ResultRecord[],
  status: TaskStatus = 'error',
) => {
  const row = await database.read.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await logs.appendResults({ taskId: id, epoch: row.epoch, first: 1, records });
  const created = new Date(Date.now() - 3_600_000 + id * 1000).toISOString();
  await database.autocommit.updateTable('task').set({ status, end_time: created }).where('id', '=', id).execute();
  const entry = { kind: 'failures' as const, project_id: row.project_id, task_id: id, created };
  const stored = await database.autocommit.insertInto('outbox').values(entry).returningAll().executeTakeFirstOrThrow();
  const handler = failuresHandler({
    database,
    clusters: (task) => logs.resultClusters(task),
    hosts: (...page) => logs.clusterHosts(...page),
    runSteps: (...page) => logs.resultSteps(...page),
    runHosts: (task, first, limit, steps) =>
      logs.resultHosts(task, { ...HOSTS_BY_NAME, first, limit, stepLimit: steps }),
    onStored: () => undefined,
    onError: (error) => expect.fail(String(error)),
  });
  const done = vi.fn<(ids: readonly number[]) => Promise<void>>(() => Promise.resolve());
  await handler.handle([stored], { signal: new AbortController().signal, done });
  await handler.handle([stored], { signal: new AbortController().signal, done });
  expect(done).toHaveBeenCalledWith([stored.id]);
};

/** A server with a sample project whose runs can be ended with results. */
export const failedRunsIn = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const run = async (template_id: number, records = RECORDS, status: TaskStatus = 'error', more: object = {}) => {
    const task = (await admin.post(`${sample.base}/tasks`, { template_id, ...more })).json<{ id: number }>();
    await endRun(server, task.id, records, status);
    return task.id;
  };
  const list = async (query = '') =>
    (await admin.get(`${sample.base}/failures${query}`)).json<{ failures: Failure[] }>().failures;
  return { server, admin, sample, run, list };
};
