import type { RunVersions } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../../testing/database/databases.ts';
import { sampleProject } from '../../../testing/sample-project.ts';
import { startTestServer } from '../../../testing/test-server.ts';

const VERSIONS: RunVersions = {
  ...{ ansible: '2.18.1', python: '3.12.1', image_digest: null },
  collections: [
    { name: 'community.general', version: '8.6.1' },
    { name: 'local.texts', version: '1.0.0' },
  ],
  roles: [],
};

describeEachDatabase('the versions of two tasks', (makeLocation) => {
  it('are compared if both are known, and are deleted with their task', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, template } = await sampleProject(admin);
    const template_id = await template();
    const { autocommit, read } = server.storage.database;
    const start = async (versions?: RunVersions) => {
      const { id: task_id } = (await admin.post(`${base}/tasks`, { template_id })).json<{ id: number }>();
      await autocommit.updateTable('task').set({ status: 'success' }).where('id', '=', task_id).execute();
      if (versions)
        await autocommit
          .insertInto('task_version')
          .values({ task_id, versions: JSON.stringify(versions) })
          .execute();
      return task_id;
    };
    const first = await start(VERSIONS);
    const second = await start({
      ...VERSIONS,
      python: '3.13.0',
      collections: [{ name: 'community.general', version: '9.0.0' }],
      roles: [{ name: 'nginx', version: '' }],
    });
    const versions = async (id: number) => (await admin.get(`${base}/tasks/${id}/comparison`)).json().versions;
    expect(await versions(second)).toEqual([
      { what: 'python', name: '', earlier: '3.12.1', later: '3.13.0' },
      { what: 'collection', name: 'community.general', earlier: '8.6.1', later: '9.0.0' },
      { what: 'collection', name: 'local.texts', earlier: '1.0.0', later: null },
      { what: 'role', name: 'nginx', earlier: null, later: '' },
    ]);
    const unknown = await start();
    expect(await versions(unknown)).toEqual([]);
    expect((await admin.get(`${base}/tasks/${unknown}/versions`)).json()).toEqual({ versions: null });
    expect((await admin.get(`${base}/tasks/${first}/versions`)).json()).toEqual({ versions: VERSIONS });
    expect((await admin.get(`/project/999/tasks/${first}/versions`)).statusCode).toBe(404);
    await autocommit.deleteFrom('task').where('id', '=', first).execute();
    const kept = await read.selectFrom('task_version').select('task_id').execute();
    expect(kept.map(({ task_id }) => task_id)).toEqual([second]);
  });
});
