import { expect, it, onTestFinished } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { Dispatcher, type DispatcherDeps } from './dispatcher.ts';

/** The error of the driver when its database is unavailable. */
const AWAY = {
  sqlite: Object.assign(new Error('database is locked'), { errcode: 5 }),
  postgres: Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
};

describeEachDatabase('the dispatcher', (makeLocation) => {
  it('[R9] ends no task when the database becomes unavailable while its job is read', async () => {
    const server = await startTestServer(await makeLocation());
    const client = await server.signIn();
    const { base, template } = await sampleProject(client);
    const { id } = (await client.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
    const { database } = server.storage;
    const row = { name: 'r', token_hash: 'r', slots: 3, created: '2026-11-21T12:00:00.000Z' };
    const runner = await database.autocommit.insertInto('runner').values(row).returning('id').executeTakeFirstOrThrow();
    const { promise: given, resolve } = Promise.withResolvers<{ job: { task_id: number; epoch: number } }>();
    const errors: unknown[] = [];
    const leases = new Map<number, number>();
    const dispatcher = new Dispatcher({
      database,
      systemLimit: 0,
      recorder: {} as DispatcherDeps['recorder'],
      readJob: async (task_id) => {
        if (errors.length === 0) throw AWAY[database.capabilities.name];
        return { task_id, epoch: leases.get(task_id) } as Awaited<ReturnType<DispatcherDeps['readJob']>>;
      },
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
      onError: (error) => {
        errors.push(error);
        expect([...leases.keys()]).toEqual([id]);
      },
    });
    onTestFinished(() => dispatcher.stop());
    dispatcher.start();
    expect((await given).job.task_id).toBe(id);
    expect(errors).toEqual([AWAY[database.capabilities.name]]);
    expect([...leases.keys()]).toEqual([id]);
    expect((await client.get(`${base}/tasks/${id}`)).json<{ status: string }>().status).toBe('waiting');
  });
});
