import { expect, it, onTestFinished } from 'vitest';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { hostNames } from '../../testing/database/queue.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { Dispatcher, type DispatcherDeps } from './dispatcher.ts';

/** The error of the driver when its database is unavailable. */
const AWAY = {
  sqlite: Object.assign(new Error('database is locked'), { errcode: 5 }),
  postgres: Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
};

interface Given {
  /** Called while the job of a task is read. */
  readonly whileRead: (taskId: number) => Promise<void>;
  readonly onError: DispatcherDeps['onError'];
}

/** A project with a template, and a dispatcher with one runner. */
const dispatching = async (location: TestLocation) => {
  const server = await startTestServer(location);
  const client = await server.signIn();
  const { base, template } = await sampleProject(client);
  const template_id = await template({ allow_parallel_tasks: true });
  const start = async () => (await client.post(`${base}/tasks`, { template_id })).json<{ id: number }>().id;
  const statusOf = async (id: number) => (await client.get(`${base}/tasks/${id}`)).json<{ status: string }>().status;
  const { database } = server.storage;
  const row = { name: 'r', token_hash: 'r', slots: 3, created: '2026-11-21T12:00:00.000Z' };
  const runner = await database.autocommit.insertInto('runner').values(row).returning('id').executeTakeFirstOrThrow();
  const leases = new Map<number, number>();
  /** Starts the dispatcher. Resolves with the id of the first task whose job the runner receives. */
  const firstGiven = async ({ whileRead, onError }: Given): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<{ job: { task_id: number } }>();
    const dispatcher = new Dispatcher({
      database,
      systemLimit: 0,
      hostNames,
      recorder: {} as DispatcherDeps['recorder'],
      readJob: async (task_id) => {
        const epoch = leases.get(task_id);
        await whileRead(task_id);
        return { task_id, epoch } as Awaited<ReturnType<DispatcherDeps['readJob']>>;
      },
      storeInputDigests: async () => undefined,
      runKeys: () => '',
      runners: () => [
        {
          id: runner.id,
          tokenHash: 'r',
          slots: 3,
          apps: [{ name: 'ansible', version: '2.14.18' }],
          draining: false,
          session: {
            hold: (claim: { id: number; epoch: number }) => leases.set(claim.id, claim.epoch),
            letGo: (taskId: number) => leases.delete(taskId),
          },
          send: resolve,
        } as unknown as ReturnType<DispatcherDeps['runners']>[number],
      ],
      onError,
    });
    onTestFinished(() => dispatcher.stop());
    dispatcher.start();
    return (await promise).job.task_id;
  };
  return { client, base, database, leases, start, statusOf, firstGiven };
};

describeEachDatabase('the dispatcher', (makeLocation) => {
  it('[R9] ends no task when the database becomes unavailable while its job is read', async () => {
    const { database, leases, start, statusOf, firstGiven } = await dispatching(await makeLocation());
    const id = await start();
    const errors: unknown[] = [];
    const given = await firstGiven({
      whileRead: async () => {
        if (errors.length === 0) throw AWAY[database.capabilities.name];
      },
      onError: (error) => {
        errors.push(error);
        expect([...leases.keys()]).toEqual([id]);
      },
    });
    expect(given).toBe(id);
    expect(errors).toEqual([AWAY[database.capabilities.name]]);
    expect([...leases.keys()]).toEqual([id]);
    expect(await statusOf(id)).toBe('waiting');
  });

  it('[R4] [S10] sends no job of a task that is stopped while its job is read', async () => {
    const { client, base, leases, start, statusOf, firstGiven } = await dispatching(await makeLocation());
    const stopped = await start();
    const next = Promise.withResolvers<number>();
    const given = await firstGiven({
      whileRead: async (id) => {
        if (id !== stopped) return;
        await client.post(`${base}/tasks/${id}/stop`, {});
        next.resolve(await start());
      },
      onError: next.reject,
    });
    expect(given).toBe(await next.promise);
    expect([...leases.keys()]).toEqual([given]);
    expect(await statusOf(stopped)).toBe('stopped');
  });
});
