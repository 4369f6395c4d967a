import type { HostHistory, HostList, HostSummary, TemplateHosts } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { EVERY_ENVIRONMENT } from '../execution-environments.ts';
import { hostHistoryHandler } from '../features/hosts/host-history.handler.ts';
import { endTask } from '../features/tasks/task-end.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import { logRemovalHandler } from '../logs/log-removal.ts';
import { HOSTS_BY_NAME } from '../logs/results/result-pages.ts';
import { makeOutbox, type OutboxHandler } from '../outbox/outbox.ts';
import { describeEachDatabase, type MakeLocation } from '../testing/database/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { type SampleRun, sampleRun } from '../testing/sample-results.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const setUp = async (makeLocation: MakeLocation) => {
  const location = await makeLocation();
  // A task ends no earlier than it was created, so the clock starts before the times in these tests.
  const server = await startTestServer(location, {}, new TestClock('2026-11-19T10:00:00.000Z'));
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const template = await sample.template({ allow_parallel_tasks: true });
  const { database, logs } = server.storage;
  /** Runs a task with generated results, without waking the outbox. */
  const play = async (run: SampleRun, ended: string, input: object = {}): Promise<number> => {
    const answer = await admin.post(`${sample.base}/tasks`, { template_id: template, ...input });
    const { id } = answer.json<{ id: number }>();
    const at = new Date(ended);
    await applyEvent(database.autocommit, id, 'accepted', at);
    await applyEvent(database.autocommit, id, 'started', at);
    const records = sampleRun(run);
    await logs.appendResults({ taskId: id, epoch: 1, first: 1, records });
    await logs.closeLog(id);
    await database.write((tx) => endTask(tx, EVERY_ENVIRONMENT, id, run.isCut ? 'lost' : 'failed', at));
    return id;
  };
  const written = async (): Promise<void> => {
    server.outbox.wake();
    await server.outbox.idle();
  };
  const list = async (query = ''): Promise<HostList> =>
    (await admin.get(`${sample.base}/hosts${query}`)).json<HostList>();
  const host = async (name: string): Promise<HostSummary> =>
    (await list(`?name=${name}`)).hosts.find((one) => one.host === name) as HostSummary;
  return { location, server, admin, sample, template, play, written, list, host };
};

const NOTHING: OutboxHandler = { batch: 50, handle: () => Promise.resolve() };
const DONE: OutboxHandler = { batch: 50, handle: (entries, { done }) => done(entries.map(({ id }) => id)) };

const failuresOf = (logs: TestServer['storage']['logs']) => ({
  clusters: (id: number) => logs.resultClusters(id),
  hosts: (...page: Parameters<typeof logs.clusterHosts>) => logs.clusterHosts(...page),
});

/** The outbox of another server, with a handler of the test for host histories. */
const outboxOf = ({ storage: { database, logs } }: TestServer, host_history: OutboxHandler) =>
  makeOutbox({
    database,
    handlers: {
      host_history,
      log_removal: logRemovalHandler(database, logs, {
        checkStore: () => Promise.resolve(),
        onRemoved: () => undefined,
      }),
      failures: DONE,
      run_times: DONE,
      approval_alert: NOTHING,
    },
    onError: (kind, error) => {
      throw new Error(kind, { cause: error });
    },
  });

const EARLY = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-21T10:00:00.000Z';

describeEachDatabase('the host history', (makeLocation) => {
  it('answers how the newest run of a template ended on each host', async () => {
    const { admin, sample, template, play, written } = await setUp(makeLocation);
    const path = `${sample.base}/templates/${template}/hosts`;
    expect((await admin.get(path)).json()).toEqual({ last_task_id: null, hosts: [] });
    const early = await play({ hosts: 3, steps: 1 }, EARLY);
    const later = await play({ hosts: 2, steps: 3 }, LATER);
    await written();
    const { last_task_id, hosts } = (await admin.get(path)).json<TemplateHosts>();
    expect(last_task_id).toBe(later);
    expect(hosts.map(({ host, task_id, time }) => [host, task_id, time])).toEqual([
      ['web-0', later, LATER],
      ['web-1', later, LATER],
      ['web-2', early, EARLY],
    ]);
    const other = await sample.template({ name: 'Other' });
    expect((await admin.get(`${sample.base}/templates/${other}/hosts`)).json()).toMatchObject({ hosts: [] });
  });

  it('keeps the last success, change and failure of each host, whatever the order of the runs', async () => {
    const { play, written, host, list } = await setUp(makeLocation);
    const later = await play({ hosts: 4, steps: 3 }, LATER);
    await written();
    const early = await play({ hosts: 5, steps: 1 }, EARLY);
    await written();
    expect((await list()).hosts.map((one) => one.host)).toEqual(['web-0', 'web-1', 'web-2', 'web-3', 'web-4']);
    expect(await host('web-0')).toMatchObject({
      last_success: { time: LATER, task_id: later },
      last_change: null,
      last_failure: null,
    });
    expect(await host('web-1')).toMatchObject({
      last_success: { time: LATER },
      last_change: { time: LATER, task_id: later },
    });
    expect(await host('web-2')).toMatchObject({
      last_success: { time: EARLY, task_id: early },
      last_failure: { time: LATER, task_id: later },
    });
    expect(await host('web-3')).toMatchObject({ last_success: null, last_failure: { time: LATER, task_id: later } });
    expect(await host('web-4')).toMatchObject({ last_success: { time: EARLY }, last_failure: null });
  });

  it('can be sorted, filtered and read in pages', async () => {
    const { play, written, list } = await setUp(makeLocation);
    await play({ hosts: 450, steps: 2 }, LATER);
    await written();
    expect((await list()).total).toBe(450);
    expect((await list()).hosts).toHaveLength(200);
    const names = async (query: string) => {
      const page = await list(query);
      return [page.total, ...page.hosts.map((one) => one.host)];
    };
    expect(await names('?sort=last_failure&order=desc&limit=2')).toEqual([450, 'web-2', 'web-3']);
    expect(await names('?name=WEB-44&limit=2&from=10')).toEqual([11, 'web-448', 'web-449']);
    expect(await names('?name=100%25')).toEqual([0]);
    expect(await names('?sort=host&order=desc&limit=1')).toEqual([450, 'web-99']);
  });

  it('lists the last runs of a host, and keeps the times of deleted tasks', async () => {
    const { admin, sample, play, written, host } = await setUp(makeLocation);
    const ids: number[] = [];
    for (let day = 10; day < 22; day += 1) ids.push(await play({ hosts: 2, steps: 2 }, `2026-11-${day}T00:00:00.000Z`));
    await written();
    const { id } = await host('web-1');
    const runs = async () => (await admin.get(`${sample.base}/hosts/${id}`)).json<HostHistory>();
    expect((await runs()).runs.map(({ task_id, changed }) => [task_id, changed])).toEqual(
      ids
        .slice(2)
        .reverse()
        .map((one) => [one, 1]),
    );
    await admin.del(`${sample.base}/tasks/${ids[11]}`);
    // An id of a deleted task is not reused.
    const again = await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    expect(again.statusCode).toBe(201);
    const after = await runs();
    expect(after.last_success).toEqual({ time: '2026-11-21T00:00:00.000Z', task_id: null });
    expect(after.runs[0]).toMatchObject({ time: '2026-11-21T00:00:00.000Z', task_id: null, ok: 2 });
    expect(after.runs[1]?.task_id).toBe(ids[10]);
    expect((await admin.get(`${sample.base}/hosts/${id + 1000}`)).statusCode).toBe(404);
  });

  it('[R3] adds missing runs after a crash, and adding a run twice changes nothing', async () => {
    const { location, server, play } = await setUp(makeLocation);
    await play({ hosts: 3, steps: 2 }, LATER);
    // The server stops between the end of the task and the outbox.
    await server.stop();
    const next = await startTestServer(location);
    await next.outbox.idle();
    const client = await next.signIn();
    const { read, autocommit } = next.storage.database;
    const rows = await read.selectFrom('host').selectAll().orderBy('host').execute();
    expect(rows.map(({ host, last_success, last_failure }) => [host, last_success, last_failure])).toEqual([
      ['web-0', LATER, null],
      ['web-1', LATER, null],
      ['web-2', null, LATER],
    ]);
    expect(await read.selectFrom('outbox').selectAll().execute()).toEqual([]);
    const task = await read.selectFrom('task').select(['id', 'project_id']).executeTakeFirstOrThrow();
    await autocommit
      .insertInto('outbox')
      .values({ kind: 'host_history', project_id: task.project_id, task_id: task.id, created: LATER })
      .execute();
    // Two servers at the same time.
    const errors: unknown[] = [];
    const other = outboxOf(
      next,
      hostHistoryHandler({
        database: next.storage.database,
        summary: (id) => next.storage.logs.resultSummary(id),
        hosts: (id, first, limit) => next.storage.logs.resultHosts(id, { ...HOSTS_BY_NAME, first, limit }),
        failures: failuresOf(next.storage.logs),
        notes: (...page) => next.storage.logs.resultNotes(...page),
        onWritten: () => undefined,
        onError: (error) => errors.push(error),
      }),
    );
    next.outbox.wake();
    other.wake();
    await Promise.all([next.outbox.idle(), other.idle()]);
    expect(errors).toEqual([]);
    expect(await read.selectFrom('host').selectAll().orderBy('host').execute()).toEqual(rows);
    expect((await client.get(`/project/${task.project_id}/hosts`)).json<HostList>().total).toBe(3);
  });

  it('ignores dry runs, counts no success for an interrupted run, and includes tasks that are deleted at once', async () => {
    const { server, admin, sample, play, written, host, list } = await setUp(makeLocation);
    await play({ hosts: 2, steps: 2 }, LATER, { dry_run: true });
    await written();
    expect((await list()).total).toBe(0);
    const cut = await play({ hosts: 3, steps: 2, isCut: true }, LATER);
    await admin.del(`${sample.base}/tasks/${cut}`);
    // The results must be read before the log is removed.
    server.outbox.wake();
    await server.outbox.idle();
    await written();
    expect(await host('web-0')).toMatchObject({ last_success: null, last_change: null, last_failure: null });
    expect(await host('web-1')).toMatchObject({ last_change: { time: LATER, task_id: null } });
    expect(await host('web-2')).toMatchObject({ last_failure: { time: LATER, task_id: null } });
    server.outbox.wake();
    await server.outbox.idle();
    expect((await server.storage.logs.head(cut)).next_result).toBe(1);
  });

  it('gives up an unreadable run after five attempts if its log is to be removed, and keeps other logs', async () => {
    const { server, admin, sample, play, list } = await setUp(makeLocation);
    const [deleted, kept] = [await play({ hosts: 2, steps: 1 }, LATER), await play({ hosts: 2, steps: 1 }, LATER)];
    await admin.del(`${sample.base}/tasks/${deleted}`);
    const { database, logs } = server.storage;
    const errors: unknown[] = [];
    const outbox = outboxOf(
      server,
      hostHistoryHandler({
        database,
        summary: () => Promise.reject(new Error('too long')),
        hosts: (id, first, limit) => logs.resultHosts(id, { ...HOSTS_BY_NAME, first, limit }),
        failures: failuresOf(logs),
        notes: (...page) => logs.resultNotes(...page),
        onWritten: () => undefined,
        onError: (error) => errors.push(error),
      }),
    );
    const due = async () =>
      (await database.read.selectFrom('outbox').select('task_id').where('kind', '=', 'host_history').execute()).map(
        (row) => row.task_id,
      );
    const sweep = async (): Promise<void> => {
      outbox.wake();
      await outbox.idle();
    };
    for (let attempt = 1; attempt < 5; attempt += 1) await sweep();
    expect(await due()).toEqual([deleted, kept]);
    expect((await logs.head(deleted)).next_result).toBeGreaterThan(1);
    await sweep();
    await sweep();
    expect(await due()).toEqual([kept]);
    expect(errors).toHaveLength(11);
    expect((await logs.head(deleted)).next_result).toBe(1);
    expect((await logs.head(kept)).next_result).toBeGreaterThan(1);
    expect((await list()).total).toBe(0);
  });
});
