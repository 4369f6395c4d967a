import type { Results } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { endedTask } from '../../testing/log-stores/ended-task.ts';
import { describeEachLogStore } from '../../testing/log-stores/test-object-store.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { queueLogRemoval } from '../log-removal.ts';

describeEachLogStore('a move during a removal of lines', (make) => {
  describeOneDatabase('in a log store', (makeLocation) => {
    it('[R6] loses no results', async () => {
      const store = await make();
      const server = await startTestServer(await makeLocation(), {
        ...store.settings,
        SIGNALBOX_LOG_STORE_AFTER_HOURS: '0',
      });
      const client = await server.signIn();
      const { base, projectId, template } = await sampleProject(client);
      const taskId = await endedTask(server, { projectId, templateId: await template() }, 10);
      const countResults = async () =>
        (await client.get(`${base}/tasks/${taskId}/results`)).json<Results>().records.length;
      const removeLines = async () => {
        await server.storage.database.write(async (tx) => {
          await tx.updateTable('task').set({ log_removed: 1 }).where('id', '=', taskId).execute();
          await queueLogRemoval(tx, [taskId]);
        });
        server.outbox.wake();
        await server.outbox.idle();
      };
      const before = await countResults();
      expect(before).toBeGreaterThan(0);
      const { logs } = server.storage;
      const { move } = logs;
      // The row of the object exists, and nothing is written yet.
      Object.assign(logs, {
        move: async (...of: Parameters<typeof move>) => {
          await removeLines();
          return await move(...of);
        },
      });
      for (let sweep = 0; sweep < 2; sweep += 1) {
        server.logMover?.wake();
        await server.logMover?.idle();
      }
      expect(await countResults()).toBe(before);
    });
  });
});
