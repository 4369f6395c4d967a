import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { endedTask, lineOf } from '../../testing/log-stores/ended-task.ts';
import { describeEachLogStore, type TestObjectStore } from '../../testing/log-stores/test-object-store.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const CHILD = fileURLToPath(new URL('../../testing/log-stores/log-move.child.ts', import.meta.url));
const LINES = 50;
/** Steps of a round of moves that a sample of the test kills. */
const SAMPLE = 4;

/** Moves the logs in a process that kills itself after a step, or before a statement. Returns the number of steps, if it is not killed. */
const moveUntil = async (
  { folder, databaseUrl = '' }: TestLocation,
  { target }: TestObjectStore,
  end: number | string,
): Promise<number | 'killed'> => {
  const child = spawn(process.execPath, [CHILD, folder, databaseUrl, String(end)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SIGNALBOX_TEST_TARGET: JSON.stringify(target),
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal === 'SIGKILL' ? 'killed' : Number(output);
};

const textsOf = async ({ storage: { logs } }: TestServer, taskId: number) =>
  (await logs.lines(taskId, 1, LINES + 1)).map(([, text]) => text);

const EXPECTED = Array.from({ length: LINES }, (_, index) => lineOf(index + 1));
const NEVER = { SIGNALBOX_LOG_STORE_AFTER_HOURS: 'never' };

/** A server that moves no logs, and a task whose log a child moves. */
const setUp = async (location: TestLocation, store: TestObjectStore) => {
  const server = await startTestServer(location, { ...store.settings, ...NEVER });
  const { projectId, template } = await sampleProject(await server.signIn());
  const taskId = await endedTask(server, { projectId, templateId: await template() }, LINES);
  const { read } = server.storage.database;
  return {
    ...{ server, location, store, taskId },
    texts: () => textsOf(server, taskId),
    objects: async () => await read.selectFrom('log_object').select(['stage', 'task_id']).execute(),
  };
};

describeEachLogStore('a move', (make) => {
  describeEachDatabase('killed in any step', (makeLocation) => {
    it('loses no line, and the next round moves the log and leaves nothing over', async () => {
      const whole = await setUp(await makeLocation(), await make());
      const steps = await moveUntil(whole.location, whole.store, 0);
      expect(steps).toBeGreaterThan(10);
      const all = Array.from({ length: Number(steps) }, (_, index) => index + 1);
      for (const step of drawSample('steps of a move', all, SAMPLE)) {
        const { server, location, store, taskId, texts, objects } = await setUp(await makeLocation(), await make());
        expect(await moveUntil(location, store, step), `step ${step}`).toBe('killed');
        expect(await texts(), `step ${step}`).toEqual(EXPECTED);
        // PostgreSQL holds the lock until it notices that its client is dead.
        await expect
          .poll(async () => {
            await moveUntil(location, store, 0);
            return await objects();
          })
          .toEqual([{ stage: 'stored', task_id: taskId }]);
        expect(store.names().filter((name) => name.startsWith('logs/'))).toHaveLength(1);
        expect(await texts(), `step ${step}`).toEqual(EXPECTED);
        await server.stop();
      }
    });
  });

  describeEachDatabase('killed before it is stored that the log was moved', (makeLocation) => {
    it('is ended by the command that moves all logs back', async () => {
      const { server, location, store, taskId, objects } = await setUp(await makeLocation(), await make());
      expect(await moveUntil(location, store, 'update "log_object"')).toBe('killed');
      expect(await objects()).toEqual([{ stage: 'writing', task_id: taskId }]);
      const moveBack = () => signalbox(location, 'logs', 'move-back', { ...store.settings, ...NEVER }).ended;
      // PostgreSQL holds the lock until it notices that its client is dead.
      await expect
        .poll(moveBack, { timeout: 30_000 })
        .toMatchObject({ code: 0, output: expect.stringContaining('Moved 1 log back into the database.') });
      expect(await objects()).toEqual([]);
      expect(store.names()).toEqual(['signalbox-log-store']);
      await server.stop();
      expect(await textsOf(await startTestServer(location), taskId)).toEqual(EXPECTED);
    });
  });
});
