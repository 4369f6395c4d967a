import type { LedgerHost, LedgerHostRuns, LedgerHosts } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { makeHostLedgerKeeper } from '../features/hosts/host-ledger.keeper.ts';
import { endTask } from '../features/tasks/task-end.ts';
import { applyEvent } from '../features/tasks/task-transition.ts';
import { HOSTS_BY_NAME } from '../logs/results/result-pages.ts';
import { describeEachDatabase, type MakePlace } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { type SampleRun, sampleRun } from '../testing/sample-results.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer } from '../testing/test-server.ts';

const setUp = async (makePlace: MakePlace) => {
  const place = await makePlace();
  // A task ends no sooner than it was made: all of them are made before the moments that are told here.
  const server = await startTestServer(place, {}, new TestClock('2026-11-19T10:00:00.000Z'));
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const template = await sample.template({ allow_parallel_tasks: true });
  const { database, logs } = server.storage;
  /** Runs a task whose results are made up; the ledger is not told. */
  const play = async (run: SampleRun, ended: string, facts: object = {}): Promise<number> => {
    const answer = await admin.post(`${sample.base}/tasks`, { template_id: template, ...facts });
    const { id } = answer.json<{ id: number }>();
    const at = new Date(ended);
    await applyEvent(database.autocommit, id, 'accepted', at);
    await applyEvent(database.autocommit, id, 'started', at);
    const records = sampleRun(run);
    await logs.appendResults({ taskId: id, epoch: 1, first: 1, records });
    await logs.seal(id);
    await database.write((tx) => endTask(tx, id, run.isCut ? 'lost' : 'failed', at));
    return id;
  };
  const written = async (): Promise<void> => {
    server.hostLedger.wake();
    await server.hostLedger.idle();
  };
  const list = async (query = ''): Promise<LedgerHosts> =>
    (await admin.get(`${sample.base}/hosts${query}`)).json<LedgerHosts>();
  const host = async (name: string): Promise<LedgerHost> =>
    (await list(`?name=${name}`)).hosts.find((one) => one.host === name) as LedgerHost;
  return { place, server, admin, sample, play, written, list, host };
};

const EARLY = '2026-11-20T10:00:00.000Z';
const LATE = '2026-11-21T10:00:00.000Z';

describeEachDatabase('the ledger of hosts', (makePlace) => {
  it('keeps the last success, change and failure of each host, in whatever order runs are written down', async () => {
    const { play, written, host, list } = await setUp(makePlace);
    const late = await play({ hosts: 4, steps: 3 }, LATE);
    await written();
    const early = await play({ hosts: 5, steps: 1 }, EARLY);
    await written();
    expect((await list()).hosts.map((one) => one.host)).toEqual(['web-0', 'web-1', 'web-2', 'web-3', 'web-4']);
    expect(await host('web-0')).toMatchObject({
      last_success: { time: LATE, task_id: late },
      last_change: null,
      last_failure: null,
    });
    expect(await host('web-1')).toMatchObject({
      last_success: { time: LATE },
      last_change: { time: LATE, task_id: late },
    });
    expect(await host('web-2')).toMatchObject({
      last_success: { time: EARLY, task_id: early },
      last_failure: { time: LATE, task_id: late },
    });
    expect(await host('web-3')).toMatchObject({ last_success: null, last_failure: { time: LATE, task_id: late } });
    expect(await host('web-4')).toMatchObject({ last_success: { time: EARLY }, last_failure: null });
  });

  it('sorts, filters and pages', async () => {
    const { play, written, list } = await setUp(makePlace);
    await play({ hosts: 450, steps: 2 }, LATE);
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

  it('tells the last runs of one host, and keeps the times of tasks that are deleted', async () => {
    const { admin, sample, play, written, host } = await setUp(makePlace);
    const ids: number[] = [];
    for (let day = 10; day < 22; day += 1) ids.push(await play({ hosts: 2, steps: 2 }, `2026-11-${day}T00:00:00.000Z`));
    await written();
    const { id } = await host('web-1');
    const runs = async () => (await admin.get(`${sample.base}/hosts/${id}`)).json<LedgerHostRuns>();
    expect((await runs()).runs.map(({ task_id, changed }) => [task_id, changed])).toEqual(
      ids
        .slice(2)
        .reverse()
        .map((one) => [one, 1]),
    );
    await admin.del(`${sample.base}/tasks/${ids[11]}`);
    // On SQLite this task takes the id of the deleted one, which is another run all the same.
    const again = await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
    expect(again.statusCode).toBe(201);
    const after = await runs();
    expect(after.last_success).toEqual({ time: '2026-11-21T00:00:00.000Z', task_id: null });
    expect(after.runs[0]).toMatchObject({ time: '2026-11-21T00:00:00.000Z', task_id: null, ok: 2 });
    expect(after.runs[1]?.task_id).toBe(ids[10]);
    expect((await admin.get(`${sample.base}/hosts/${id + 1000}`)).statusCode).toBe(404);
  });

  it('[R3] writes down after a crash what was not, and twice the same', async () => {
    const { place, server, play } = await setUp(makePlace);
    await play({ hosts: 3, steps: 2 }, LATE);
    // The server ends between the end of the task and the ledger.
    await server.stop();
    const next = await startTestServer(place);
    await next.hostLedger.idle();
    const client = await next.signIn();
    const { read, autocommit } = next.storage.database;
    const rows = await read.selectFrom('host').selectAll().orderBy('host').execute();
    expect(rows.map(({ host, last_success, last_failure }) => [host, last_success, last_failure])).toEqual([
      ['web-0', LATE, null],
      ['web-1', LATE, null],
      ['web-2', null, LATE],
    ]);
    expect(await read.selectFrom('host_ledger_due').selectAll().execute()).toEqual([]);
    const task = await read.selectFrom('task').select(['id', 'project_id']).executeTakeFirstOrThrow();
    await autocommit
      .insertInto('host_ledger_due')
      .values({ project_id: task.project_id, task_id: task.id, ended: LATE })
      .execute();
    // Two servers at once.
    const other = makeHostLedgerKeeper({
      database: next.storage.database,
      summary: (id) => next.storage.logs.resultSummary(id),
      hosts: (id, first, limit) => next.storage.logs.resultHosts(id, { ...HOSTS_BY_NAME, first, limit }),
      onWritten: () => undefined,
      onError: (error) => expect(error).toBeUndefined(),
    });
    next.hostLedger.wake();
    other.wake();
    await Promise.all([next.hostLedger.idle(), other.idle()]);
    expect(await read.selectFrom('host').selectAll().orderBy('host').execute()).toEqual(rows);
    expect((await client.get(`/project/${task.project_id}/hosts`)).json<LedgerHosts>().total).toBe(3);
  });

  it('counts no dry run, no success of a run that was cut, and outlives a task that is deleted at once', async () => {
    const { server, admin, sample, play, written, host, list } = await setUp(makePlace);
    await play({ hosts: 2, steps: 2 }, LATE, { dry_run: true });
    await written();
    expect((await list()).total).toBe(0);
    const cut = await play({ hosts: 3, steps: 2, isCut: true }, LATE);
    await admin.del(`${sample.base}/tasks/${cut}`);
    // The log is removed only when the ledger has read it.
    server.logRemover.wake();
    await server.logRemover.idle();
    await written();
    expect(await host('web-0')).toMatchObject({ last_success: null, last_change: null, last_failure: null });
    expect(await host('web-1')).toMatchObject({ last_change: { time: LATE, task_id: null } });
    expect(await host('web-2')).toMatchObject({ last_failure: { time: LATE, task_id: null } });
    server.logRemover.wake();
    await server.logRemover.idle();
    expect((await server.storage.logs.head(cut)).next_result).toBe(1);
  });

  it('lets a log go that can never be read, and nothing else of it', async () => {
    const { server, admin, sample, play, list } = await setUp(makePlace);
    const [gone, kept] = [await play({ hosts: 2, steps: 1 }, LATE), await play({ hosts: 2, steps: 1 }, LATE)];
    await admin.del(`${sample.base}/tasks/${gone}`);
    const { database, logs } = server.storage;
    const faults: unknown[] = [];
    const keeper = makeHostLedgerKeeper({
      database,
      summary: () => Promise.reject(new Error('too long')),
      hosts: (id, first, limit) => logs.resultHosts(id, { ...HOSTS_BY_NAME, first, limit }),
      onWritten: () => undefined,
      onError: (error) => faults.push(error),
    });
    const due = async () =>
      (await database.read.selectFrom('host_ledger_due').select('task_id').execute()).map((row) => row.task_id);
    const sweep = async (): Promise<void> => {
      keeper.wake();
      await keeper.idle();
      server.logRemover.wake();
      await server.logRemover.idle();
    };
    for (let attempt = 1; attempt < 5; attempt += 1) await sweep();
    expect(await due()).toEqual([gone, kept]);
    expect((await logs.head(gone)).next_result).toBeGreaterThan(1);
    await sweep();
    await sweep();
    expect(await due()).toEqual([kept]);
    expect(faults).toHaveLength(11);
    expect((await logs.head(gone)).next_result).toBe(1);
    expect((await logs.head(kept)).next_result).toBeGreaterThan(1);
    expect((await list()).total).toBe(0);
  });
});
