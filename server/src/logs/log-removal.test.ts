import { expect, it } from 'vitest';
import { removeTasks } from '../features/tasks/task-removal.ts';
import { makeOutbox } from '../outbox/outbox.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';
import { logRemovalHandler, queueLogRemoval, queueLogsOf } from './log-removal.ts';

type Removal = Parameters<typeof logRemovalHandler>;

/** An outbox that only removes logs, as on another server. */
const removals = (database: Removal[0], logs: Removal[1], errors: unknown[] = []) =>
  makeOutbox({
    database,
    handlers: {
      host_history: { batch: 50, handle: () => Promise.resolve() },
      run_times: { batch: 50, handle: () => Promise.resolve() },
      failures: { batch: 50, handle: () => Promise.resolve() },
      approval_alert: { batch: 50, handle: () => Promise.resolve() },
      log_removal: logRemovalHandler(database, logs, {
        checkStore: () => Promise.resolve(),
        onRemoved: () => undefined,
      }),
    },
    onError: (_kind, error) => errors.push(error),
  });

const sweepLogs = async (database: Removal[0], logs: Removal[1]): Promise<void> => {
  const outbox = removals(database, logs);
  outbox.wake();
  await outbox.idle();
};

const setUp = async (location: Parameters<typeof startTestServer>[0]) => {
  const server = await startTestServer(location);
  const client = await server.signIn();
  const sample = await sampleProject(client);
  const { database, logs } = server.storage;
  /** Creates an ended task with a log of one line. */
  const ended = async (templateId: number): Promise<number> => {
    const { id } = (await client.post(`${sample.base}/tasks`, { template_id: templateId })).json<{ id: number }>();
    await database.autocommit.updateTable('task').set({ status: 'success' }).where('id', '=', id).execute();
    await logs.appendOutput({ taskId: id, epoch: 1, first: 1, lines: [[Date.now(), `line of ${id}`]], offset: 1 });
    await logs.closeLog(id);
    return id;
  };
  const linesOf = async (ids: readonly number[]) =>
    await Promise.all(ids.map(async (id) => (await logs.head(id)).next_line - 1));
  const queued = async () =>
    (
      await database.read
        .selectFrom('outbox')
        .select('task_id')
        .where('kind', '=', 'log_removal')
        .orderBy('id')
        .execute()
    ).map((row) => row.task_id);
  return { server, client, sample, database, logs, ended, linesOf, queued };
};

describeEachDatabase('removing tasks with their logs', (makeLocation) => {
  it('deletes ended tasks, queues their logs, and updates the newest task of the template', async () => {
    const { client, sample, database, logs, ended, linesOf, queued } = await setUp(await makeLocation());
    const template = await sample.template();
    const [first, second, third] = [await ended(template), await ended(template), await ended(template)];
    const waiting = (await client.post(`${sample.base}/tasks`, { template_id: template })).json<{ id: number }>().id;
    await database.autocommit.updateTable('template').set({ last_task_id: third }).where('id', '=', template).execute();
    const removed = await database.write((tx) =>
      removeTasks(tx, [third, second, waiting, 999_999], { skipKept: false }),
    );
    expect(removed.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([second, third]);
    expect(await queued()).toHaveLength(2);
    await sweepLogs(database, logs);
    expect(await queued()).toEqual([]);
    expect(await linesOf([first, second, third])).toEqual([1, 0, 0]);
    const left = (await client.get(`${sample.base}/tasks`)).json<{ id: number }[]>();
    expect(left.map(({ id }) => id)).toEqual([waiting, first]);
    expect((await client.get(`${sample.base}/templates/${template}`)).json()).toMatchObject({ last_task_id: waiting });
  });

  it('queues no log when the transaction is rolled back', async () => {
    const { sample, database, ended, queued } = await setUp(await makeLocation());
    const id = await ended(await sample.template());
    const broken = database.write(async (tx) => {
      await removeTasks(tx, [id], { skipKept: false });
      throw new Error('the power went');
    });
    await expect(broken).rejects.toThrow('the power went');
    expect(await queued()).toEqual([]);
  });

  it.each(['template', 'project'] as const)('queues the logs of a whole %s', async (kind) => {
    const { sample, database, logs, ended, linesOf } = await setUp(await makeLocation());
    const [mine, other] = [await sample.template(), await sample.template()];
    const ids = [await ended(mine), await ended(mine), await ended(other)];
    await database.write(async (tx) => {
      await queueLogsOf(tx, kind === 'project' ? { projectId: sample.projectId } : { templateId: mine });
      await tx
        .deleteFrom(kind)
        .where('id', '=', kind === 'project' ? sample.projectId : mine)
        .execute();
    });
    await sweepLogs(database, logs);
    expect(await linesOf(ids)).toEqual(kind === 'project' ? [0, 0, 0] : [0, 0, 1]);
  });

  it('loses no request when the server dies before the logs are removed', async () => {
    const location = await makeLocation();
    const { server, sample, database, ended } = await setUp(location);
    const ids = [await ended(await sample.template()), await ended(await sample.template())];
    await database.write((tx) => removeTasks(tx, ids, { skipKept: false }));
    // The server stops before the logs are removed. Only the request is left, as after a kill.
    await server.stop();
    const next = await startTestServer(location);
    const { database: later, logs } = next.storage;
    await next.outbox.idle();
    expect(await Promise.all(ids.map(async (id) => (await logs.head(id)).next_line))).toEqual([1, 1]);
    expect(await later.read.selectFrom('outbox').selectAll().execute()).toEqual([]);
  });

  it('repeats a removal that was interrupted before its entry was deleted', async () => {
    const { sample, database, logs, ended, linesOf, queued } = await setUp(await makeLocation());
    const ids = [await ended(await sample.template())];
    await database.write((tx) => queueLogRemoval(tx, ids));
    const cut = {
      ...logs,
      remove: async (taskIds: readonly number[]) => {
        await logs.remove(taskIds);
        throw new Error('the power went');
      },
    };
    const errors: unknown[] = [];
    const remover = removals(database, cut, errors);
    remover.wake();
    await remover.idle();
    expect(errors).toHaveLength(1);
    expect(await queued()).toEqual(ids);
    await sweepLogs(database, logs);
    expect(await linesOf(ids)).toEqual([0]);
    expect(await queued()).toEqual([]);
  });
});
