import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeRemoteDatabase } from '../../testing/database/databases.ts';
import { endedTask, lineOf } from '../../testing/log-stores/ended-task.ts';
import { describeEachLogStore } from '../../testing/log-stores/test-object-store.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const TASKS = 6;
const KEY = { SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };

describeEachLogStore('two servers', (make) => {
  describeRemoteDatabase('of one database', (makeLocation) => {
    it('move each log once, and both read it', async () => {
      const [location, store] = [await makeLocation(), await make()];
      const folder = join(location.folder, 'second');
      mkdirSync(folder);
      const settings = { ...KEY, ...store.settings };
      const first = await startTestServer(location, settings);
      const second = await startTestServer({ ...location, folder }, settings);
      const { projectId, template } = await sampleProject(await first.signIn());
      const templateId = await template();
      const ids: number[] = [];
      for (let count = 0; count < TASKS; count++) ids.push(await endedTask(first, { projectId, templateId }, 3));
      const { read } = first.storage.database;
      const sweep = async ({ logMover }: TestServer): Promise<void> => {
        logMover?.wake();
        await logMover?.idle();
      };
      await Promise.all([first, second].map(sweep));
      await Promise.all([first, second].map(sweep));
      const objects = await read.selectFrom('log_object').select(['task_id', 'stage']).orderBy('task_id').execute();
      expect(objects).toEqual(ids.map((task_id) => ({ task_id, stage: 'stored' })));
      expect(store.names()).toHaveLength(TASKS + 1);
      for (const { storage } of [first, second])
        for (const id of ids) expect((await storage.logs.lines(id, 3, 1)).map(([, text]) => text)).toEqual([lineOf(3)]);
    });
  });
});
