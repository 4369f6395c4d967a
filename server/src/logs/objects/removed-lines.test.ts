import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { endedTask } from '../../testing/log-stores/ended-task.ts';
import { makeFolder } from '../../testing/log-stores/test-object-store.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { queueLogRemoval } from '../log-removal.ts';

const setUp = async (location: TestLocation) => {
  const store = makeFolder();
  const server = await startTestServer(location, store.settings);
  const client = await server.signIn();
  const { base, projectId, template } = await sampleProject(client);
  const taskId = await endedTask(server, { projectId, templateId: await template() }, 10);
  server.logMover?.wake();
  await server.logMover?.idle();
  const { database } = server.storage;
  const records = async () => (await client.get(`${base}/tasks/${taskId}/results`)).json<Results>().records;
  const before = await records();
  const expire = () =>
    database.write(async (tx) => {
      await tx.updateTable('task').set({ log_removed: 1 }).where('id', '=', taskId).execute();
      await queueLogRemoval(tx, [taskId]);
    });
  /** @returns the number of logs that wait for their removal afterwards */
  const removeQueued = async (): Promise<number> => {
    server.outbox.wake();
    await server.outbox.idle();
    return (await database.read.selectFrom('outbox').select('id').execute()).length;
  };
  return { store, records, before, expire, removeQueued };
};

describeEachDatabase('removing the lines of a moved log', (makeLocation) => {
  it('waits while an empty folder is mounted instead of the log store', async () => {
    const { store, records, before, expire, removeQueued } = await setUp(await makeLocation());
    await store.away();
    mkdirSync(store.folder);
    await expire();
    expect(await removeQueued()).toBe(1);
    rmdirSync(store.folder);
    await store.back();
    await expect.poll(removeQueued).toBe(0);
    expect(before.length).toBeGreaterThan(15);
    expect(await records()).toEqual(before);
  });

  it('gives up the results if the log store has lost the object', async () => {
    const { store, records, expire, removeQueued } = await setUp(await makeLocation());
    rmSync(join(store.folder, 'logs'), { recursive: true });
    await expire();
    await expect.poll(removeQueued).toBe(0);
    expect(await records()).toEqual([]);
  });
});
