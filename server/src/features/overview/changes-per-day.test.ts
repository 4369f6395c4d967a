import type { Trends } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

describeEachDatabase('the trends of a project', (makeLocation) => {
  it('count the changed results of each day, without dry runs and runs whose changes are unknown', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, template } = await sampleProject(admin);
    const template_id = await template();
    const { autocommit } = server.storage.database;
    const run = async (changed: number | null, more: object = {}) => {
      const { id: task_id } = (await admin.post(`${base}/tasks`, { template_id })).json<{ id: number }>();
      await autocommit
        .updateTable('task')
        .set({ status: 'success', ...more })
        .where('id', '=', task_id)
        .execute();
      const times = { options: 'same', succeeded: 1, lead: 0, total: 1, hosts: 1, times: '', changed };
      await autocommit
        .insertInto('run_time')
        .values({ task_id, template_id, ...times })
        .execute();
    };
    const yesterday = new Date(Date.now() - DAY_MS).toISOString();
    await run(3);
    await run(4);
    await run(null);
    await run(50, { dry_run: 1 });
    await run(12, { created: yesterday });
    await run(90, { created: new Date(Date.now() - 31 * DAY_MS).toISOString() });
    const { days } = (await admin.get(`${base}/trends`)).json<Trends>();
    expect(days.map(({ changed }) => changed).slice(-3)).toEqual([0, 12, 7]);
    expect(days.reduce((sum, { changed }) => sum + changed, 0)).toBe(19);
  });
});
