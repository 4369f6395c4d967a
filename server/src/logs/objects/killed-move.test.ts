import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { endedTask, lineOf } from '../../testing/log-stores/ended-task.ts';
import { describeEachLogStore, type TestObjectStore } from '../../testing/log-stores/test-object-store.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const CHILD = fileURLToPath(new URL('../../testing/log-stores/log-move.child.ts', import.meta.url));
const LINES = 50;
/** Steps of a round of moves that a sample of the test kills. */
const SAMPLE = 4;

/** Moves the logs in a process that kills itself after a step. Returns the number of steps, if it is not killed. */
const moveUntil = async (
  { folder, databaseUrl = '' }: TestLocation,
  { target }: TestObjectStore,
  step: number,
): Promise<number | 'killed'> => {
  const child = spawn(process.execPath, [CHILD, folder, databaseUrl, JSON.stringify(target), String(step)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal === 'SIGKILL' ? 'killed' : Number(output);
};

describeEachLogStore('a move', (make) => {
  describeEachDatabase('killed in any step', (makeLocation) => {
    it('loses no line, and the next round moves the log and leaves nothing over', async () => {
      const setUp = async () => {
        const [location, store] = [await makeLocation(), await make()];
        const server = await startTestServer(location, {
          ...store.settings,
          SIGNALBOX_LOG_STORE_AFTER_HOURS: 'never',
        });
        const { projectId, template } = await sampleProject(await server.signIn());
        const taskId = await endedTask(server, { projectId, templateId: await template() }, LINES);
        const texts = async () => (await server.storage.logs.lines(taskId, 1, LINES + 1)).map(([, text]) => text);
        const { read } = server.storage.database;
        const objects = async () => await read.selectFrom('log_object').select(['stage', 'task_id']).execute();
        return { server, location, store, taskId, texts, objects };
      };
      const expected = Array.from({ length: LINES }, (_, index) => lineOf(index + 1));
      const whole = await setUp();
      const steps = await moveUntil(whole.location, whole.store, 0);
      expect(steps).toBeGreaterThan(10);
      const all = Array.from({ length: Number(steps) }, (_, index) => index + 1);
      for (const step of drawSample('steps of a move', all, SAMPLE)) {
        const { server, location, store, taskId, texts, objects } = await setUp();
        expect(await moveUntil(location, store, step), `step ${step}`).toBe('killed');
        expect(await texts(), `step ${step}`).toEqual(expected);
        // PostgreSQL holds the lock until it notices that its client is dead.
        await expect
          .poll(async () => {
            await moveUntil(location, store, 0);
            return await objects();
          })
          .toEqual([{ stage: 'stored', task_id: taskId }]);
        expect(store.names().filter((name) => name.startsWith('logs/'))).toHaveLength(1);
        expect(await texts(), `step ${step}`).toEqual(expected);
        await server.stop();
      }
    });
  });
});
