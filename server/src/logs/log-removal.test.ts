import { expect, it } from 'vitest';
import { removeTasks } from '../features/tasks/task-removal.ts';
import { describeEachDatabase } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';
import { queueLogRemoval, queueLogsOf, sweepLogs } from './log-removal.ts';
import { makeLogRemover } from './log-remover.ts';

const setUp = async (place: Parameters<typeof startTestServer>[0]) => {
  const server = await startTestServer(place);
  const client = await server.signIn();
  const sample = await sampleProject(client);
  const { database, logs } = server.storage;
  /** A task that has ended, with a log of one line. */
  const ended = async (templateId: number): Promise<number> => {
    const { id } = (await client.post(`${sample.base}/tasks`, { template_id: templateId })).json<{ id: number }>();
    await database.autocommit.updateTable('task').set({ status: 'success' }).where('id', '=', id).execute();
    await logs.appendOutput({ taskId: id, epoch: 1, first: 1, lines: [[Date.now(), `line of ${id}`]], offset: 1 });
    await logs.seal(id);
    return id;
  };
  const linesOf = async (ids: readonly number[]) =>
    await Promise.all(ids.map(async (id) => (await logs.head(id)).next_line - 1));
  const queued = async () =>
    (await database.read.selectFrom('log_removal').select('task_id').orderBy('id').execute()).map((row) => row.task_id);
  return { server, client, sample, database, logs, ended, linesOf, queued };
};

describeEachDatabase('removing tasks with their logs', (makePlace) => {
  it('deletes what has ended, asks for its log, and lets the template show the newest task that is left', async () => {
    const { client, sample, database, logs, ended, linesOf, queued } = await setUp(await makePlace());
    const template = await sample.template();
    const [first, second, third] = [await ended(template), await ended(template), await ended(template)];
    const waiting = (await client.post(`${sample.base}/tasks`, { template_id: template })).json<{ id: number }>().id;
    await database.autocommit.updateTable('template').set({ last_task_id: third }).where('id', '=', template).execute();
    const removed = await database.write((tx) => removeTasks(tx, [third, second, waiting, 999_999]));
    expect(removed.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([second, third]);
    expect(await queued()).toHaveLength(2);
    expect(await sweepLogs(database, logs)).toBe(2);
    expect(await queued()).toEqual([]);
    expect(await linesOf([first, second, third])).toEqual([1, 0, 0]);
    const left = (await client.get(`${sample.base}/tasks`)).json<{ id: number }[]>();
    expect(left.map(({ id }) => id)).toEqual([waiting, first]);
    expect((await client.get(`${sample.base}/templates/${template}`)).json()).toMatchObject({ last_task_id: waiting });
  });

  it('asks for no log when the transaction does not happen', async () => {
    const { sample, database, ended, queued } = await setUp(await makePlace());
    const id = await ended(await sample.template());
    const broken = database.write(async (tx) => {
      await removeTasks(tx, [id]);
      throw new Error('the power went');
    });
    await expect(broken).rejects.toThrow('the power went');
    expect(await queued()).toEqual([]);
  });

  it.each(['template', 'project'] as const)('asks for the logs of a whole %s', async (kind) => {
    const { sample, database, logs, ended, linesOf } = await setUp(await makePlace());
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

  it('loses no request when the server dies between the two stores, and asks again in vain for nothing', async () => {
    const place = await makePlace();
    const { server, sample, database, ended } = await setUp(place);
    const ids = [await ended(await sample.template()), await ended(await sample.template())];
    await database.write((tx) => removeTasks(tx, ids));
    // Its log store is gone at the moment when the logs should be: as after a kill, only the request is left.
    await server.stop();
    const next = await startTestServer(place);
    const { database: later, logs } = next.storage;
    const remover = makeLogRemover({
      database: later,
      logs,
      onError: (error) => {
        throw error;
      },
    });
    remover.wake();
    await remover.idle();
    expect(await Promise.all(ids.map(async (id) => (await logs.head(id)).next_line))).toEqual([1, 1]);
    expect(await later.read.selectFrom('log_removal').selectAll().execute()).toEqual([]);
  });

  it('does a removal again that was cut between the log and its request', async () => {
    const { sample, database, logs, ended, linesOf, queued } = await setUp(await makePlace());
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
    const remover = makeLogRemover({ database, logs: cut, onError: (error) => errors.push(error) });
    remover.wake();
    await remover.idle();
    expect(errors).toHaveLength(1);
    expect(await queued()).toEqual(ids);
    expect(await sweepLogs(database, logs)).toBe(1);
    expect(await linesOf(ids)).toEqual([0]);
    expect(await queued()).toEqual([]);
  });
});
