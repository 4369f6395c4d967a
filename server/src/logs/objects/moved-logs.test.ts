import type { LogLines, Results, System } from '@signalbox/contract';
import { expect, it } from 'vitest';
import type { Logs } from '../../database/database.ts';
import { openLogsFile } from '../../database/logs-file.ts';
import { describeEachDatabase, describeOneDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { endedTask, lineOf } from '../../testing/log-stores/ended-task.ts';
import { describeEachLogStore, type TestObjectStore } from '../../testing/log-stores/test-object-store.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { queueLogRemoval } from '../log-removal.ts';
import { openObjectStore } from './open-object-store.ts';

/** More than two blocks. */
const LINES = 12_000;
const MARKER = 'signalbox-log-store';

const setUp = async (location: TestLocation, store: TestObjectStore, lines = LINES) => {
  const server = await startTestServer(location, store.settings);
  const client = await server.signIn();
  const { base, projectId, template } = await sampleProject(client);
  const templateId = await template();
  const task = () => endedTask(server, { projectId, templateId }, lines);
  const taskId = await task();
  const path = `${base}/tasks/${taskId}`;
  const sweep = async (): Promise<void> => {
    server.logMover?.wake();
    await server.logMover?.idle();
  };
  const linesFrom = async (from: number) => (await client.get(`${path}/lines?from=${from}&limit=3`)).json<LogLines>();
  const kinds = async (): Promise<string[]> => {
    const logs = server.storage.database.capabilities.logsApart
      ? openLogsFile(location.folder)
      : (server.storage.database.autocommit as unknown as Logs);
    const rows = await logs.selectFrom('log_block').select(['stream', 'kind']).where('task_id', '=', taskId).execute();
    if (server.storage.database.capabilities.logsApart) await logs.destroy();
    return [...new Set(rows.map(({ stream, kind }) => `${stream} ${kind}`))].toSorted();
  };
  return { server, client, base, path, taskId, templateId, task, sweep, linesFrom, kinds };
};

const MOVED = ['object written', 'output moved', 'results moved'];
const objectsOf = (store: TestObjectStore): string[] => store.names().filter((name) => name !== MARKER);

describeEachLogStore('logs', (make) => {
  describeEachDatabase('moved', (makeLocation) => {
    it('are read with the same calls as before', async () => {
      const store = await make();
      const { client, path, sweep, linesFrom, kinds } = await setUp(await makeLocation(), store);
      const calls = [
        ...['lines?from=1', 'lines', `lines?from=${LINES - 1}&limit=5`, `lines/search?text=${LINES - 7}+of`],
        ...['output', 'raw_output', 'results', 'results/summary', 'results/failures', 'results/hosts/2'],
      ];
      const answers = async () => {
        const all = await Promise.all(calls.map((call) => client.get(`${path}/${call}`)));
        return all.map(({ statusCode, body }) => ({ statusCode, body }));
      };
      const before = await answers();
      expect(before.map(({ statusCode }) => statusCode)).toEqual(calls.map(() => 200));
      await sweep();
      expect(await kinds()).toEqual(MOVED);
      expect(objectsOf(store)).toHaveLength(1);
      expect(await answers()).toEqual(before);
      expect((await linesFrom(LINES - 2)).lines.map(([, text]) => text)).toEqual(
        [LINES - 2, LINES - 1, LINES].map(lineOf),
      );
    });

    it('are removed from the store with their task', async () => {
      const store = await make();
      const { server, client, path, sweep } = await setUp(await makeLocation(), store, 10);
      await sweep();
      expect(objectsOf(store)).toHaveLength(1);
      expect((await client.del(path)).statusCode).toBe(204);
      server.outbox.wake();
      await expect.poll(() => objectsOf(store)).toEqual([]);
      await server.logMover?.idle();
      expect(await server.storage.database.read.selectFrom('log_object').selectAll().execute()).toEqual([]);
    });
  });

  describeEachDatabase('moved, whose lines are removed', (makeLocation) => {
    it('keep their results in the database, also if the store is away at first', async () => {
      const store = await make();
      const { server, client, path, taskId, sweep, kinds } = await setUp(await makeLocation(), store, 10);
      const { database, logs } = server.storage;
      const results = async () => (await client.get(`${path}/results`)).json<Results>();
      const before = await results();
      await sweep();
      await store.away();
      await database.write(async (tx) => {
        await tx.updateTable('task').set({ log_removed: 1 }).where('id', '=', taskId).execute();
        await queueLogRemoval(tx, [taskId]);
      });
      const wake = async () => {
        server.outbox.wake();
        await server.outbox.idle();
      };
      await wake();
      expect(await database.read.selectFrom('outbox').select('kind').execute()).toEqual([{ kind: 'log_removal' }]);
      expect(await kinds()).toEqual(MOVED);
      await store.back();
      await expect
        .poll(async () => {
          await wake();
          return await kinds();
        })
        .toEqual(['results packed']);
      await expect
        .poll(async () => {
          await sweep();
          return objectsOf(store);
        })
        .toEqual([]);
      expect(await results()).toEqual(before);
      expect(before.records.length).toBeGreaterThan(15);
      expect(await logs.storedLines(taskId)).toBe(0);
    });
  });

  describeOneDatabase('moved', (makeLocation) => {
    it('are counted in the state of the system, with what fails', async () => {
      const store = await make();
      const { client, task, sweep } = await setUp(await makeLocation(), store, 10);
      const state = async () => (await client.get('/system')).json<System>().log_store;
      expect(await state()).toMatchObject({ answers: true, moved: 0, bytes: 0, unmoved: 1, waiting: 1, failure: null });
      await sweep();
      const { address } = openObjectStore(store.target);
      expect(await state()).toMatchObject({ address, answers: true, moved: 1, unmoved: 0, waiting: 0, removing: 0 });
      expect((await state())?.bytes).toBeGreaterThan(100);
      await store.away();
      await task();
      await sweep();
      expect(await state()).toMatchObject({
        ...{ answers: false, moved: 1, unmoved: 1, waiting: 1, failing_since: expect.any(String) },
        failure: expect.stringContaining(address.replace('folder:', '')),
      });
      await store.back();
    });

    it('answer that the store is away, and are read when it is back; removals and moves are repeated', async () => {
      const store = await make();
      const { client, base, path, task, server, sweep, linesFrom } = await setUp(await makeLocation(), store);
      await sweep();
      await store.away();
      const answer = await client.get(`${path}/lines?from=1`);
      expect(answer.json()).toMatchObject({ code: 'unavailable.log_store' });
      expect(answer.statusCode).toBe(503);
      expect((await client.get(`${path}/raw_output`)).statusCode).toBe(503);
      expect((await client.get(path)).statusCode).toBe(200);
      const other = await task();
      await sweep();
      const failing = () => server.storage.database.read.selectFrom('log_store').selectAll().executeTakeFirstOrThrow();
      expect(await failing()).toMatchObject({ failing_since: expect.any(String), failure: expect.any(String) });
      expect((await client.get(`${base}/tasks/${other}/lines?from=1&limit=1`)).statusCode).toBe(200);
      const metrics = await client.get('/metrics');
      expect(metrics.body).toMatch(/^signalbox_logs_waiting 1$/m);
      expect(metrics.body).toMatch(/^signalbox_log_store_failing_seconds \d*\.?\d*[1-9]/m);
      await store.back();
      await expect.poll(async () => (await linesFrom(1)).lines).toHaveLength(3);
      await expect
        .poll(async () => {
          await sweep();
          return (await failing()).failing_since;
        })
        .toBeNull();
      expect(objectsOf(store)).toHaveLength(2);
    });

    it.each([
      ['truncated', LINES - 2, (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
      ['changed', 1, (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 200 ? byte ^ 1 : byte)))],
    ])('show no line of a block that was %s', async (_, from, change) => {
      const store = await make();
      const { client, path, sweep } = await setUp(await makeLocation(), store);
      await sweep();
      for (const name of objectsOf(store)) store.change(name, change);
      const answer = await client.get(`${path}/lines?from=${from}&limit=2`);
      expect(answer.json()).toMatchObject({ code: 'conflict.log_changed' });
      expect(answer.statusCode).toBe(409);
    });

    it.each(['output', 'raw_output'])('end the connection of %s at a block that was changed', async (call) => {
      const store = await make();
      const { server, client, path, sweep } = await setUp(await makeLocation(), store, 100_000);
      await sweep();
      const flip = (at: number) => (bytes: Buffer) =>
        Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
      const [object = ''] = objectsOf(store);
      const download = () => fetch(`${server.baseUrl}/api${path}/${call}`, { headers: { cookie: client.cookie } });
      store.change(object, flip(200));
      expect((await download()).status).toBe(409);
      store.change(object, flip(200));
      store.change(object, flip(50_000));
      const answer = await download();
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow('terminated');
    });

    it('refuse a start without their store, or with another one', async () => {
      const [store, other] = [await make(), await make()];
      const location = await makeLocation();
      const { server, sweep } = await setUp(location, store, 10);
      await sweep();
      await server.stop();
      const withoutStore = `Logs were moved to ${openObjectStore(store.target).address}: set SIGNALBOX_LOG_STORE`;
      await expect(startTestServer(location)).rejects.toThrow(withoutStore);
      await expect(startTestServer(location, other.settings)).rejects.toThrow('is not the one that this database uses');
      await expect(startTestServer(location)).rejects.toThrow(withoutStore);
      const stranger = await startTestServer(await makeLocation(), other.settings);
      await stranger.stop();
      await expect(startTestServer(location, other.settings)).rejects.toThrow('belongs to another installation');
      expect((await startTestServer(location, store.settings)).logMover).toBeDefined();
    });
  });
});
