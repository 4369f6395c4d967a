import { expect, it } from 'vitest';
import { describeOneDatabase } from '../testing/database/databases.ts';
import { startTestServer } from '../testing/test-server.ts';
import { demoFiller } from './fill-with-demo.ts';

interface Row {
  readonly id: number;
  readonly name: string;
}

describeOneDatabase('the demo project', (makeLocation) => {
  it('contains what its description lists', async () => {
    const client = await (await startTestServer(await makeLocation())).signIn();
    const created = await client.post('/projects', { name: 'Demo', demo: true });
    expect(created.statusCode, created.body).toBe(201);
    const base = `/project/${created.json<Row>().id}`;
    const list = async (path: string) =>
      (await client.get(`${base}/${path}`)).json<(Row & Record<string, unknown>)[]>();
    const names = async (path: string) => (await list(path)).map(({ name }) => name);
    expect(await names('keys')).toEqual(['Demo vault password', 'None']);
    expect(await names('inventory')).toEqual(['Build', 'Dev', 'Prod']);
    expect(await names('repositories')).toEqual(['Demo']);
    expect(await list('environment')).toMatchObject([{ name: 'Empty', json: '{}', env: '{}' }]);
    const views = (await list('views')) as unknown as { id: number; title: string }[];
    expect(views.map(({ title }) => title)).toEqual(['Build', 'Deploy', 'Tools']);
    const templates = await list('templates');
    const build = templates.find(({ name }) => name === 'Build');
    expect(
      templates.map(({ name, type, autorun, start_version, build_template_id, view_id }) => ({
        name,
        type,
        autorun,
        start_version,
        build_template_id,
        view: views.find(({ id }) => id === view_id)?.title,
      })),
    ).toEqual([
      { name: 'Build', type: 'build', autorun: false, start_version: '1.0.0', build_template_id: null, view: 'Build' },
      {
        name: 'Deploy to Dev',
        type: 'deploy',
        autorun: true,
        start_version: null,
        build_template_id: build?.id,
        view: 'Deploy',
      },
      {
        name: 'Deploy to Production',
        type: 'deploy',
        autorun: false,
        start_version: null,
        build_template_id: build?.id,
        view: 'Deploy',
      },
      { name: 'Ping Site', type: '', autorun: false, start_version: null, build_template_id: null, view: 'Tools' },
    ]);
    const [view] = views;
    expect((await list(`views/${view?.id}/templates`)).map(({ name }) => name)).toEqual(['Build']);
    expect(await list('tasks')).toEqual([]);
  });

  it('is created completely or not at all', async () => {
    const server = await startTestServer(await makeLocation());
    const client = await server.signIn();
    const { database } = server.storage;
    // The last insert fails, so everything before it must be rolled back.
    const last = 'Ping Site';
    await client.post('/projects', { name: 'Other' });
    await expect(
      database.write(async (tx) => {
        const stored = () => Promise.resolve({ id: 1 });
        const fill = demoFiller(
          {
            key: stored,
            repository: stored,
            inventory: stored,
            environment: stored,
            view: async (inner, projectId, { title, position }) =>
              await inner
                .insertInto('view')
                .values({ project_id: projectId, title, position })
                .returning('id')
                .executeTakeFirstOrThrow(),
            template: (_tx, _id, input) => (input.name === last ? Promise.reject(new Error('refused')) : stored()),
          },
          () => new Date(),
        );
        await fill(tx, 1, { userId: null, address: '' });
      }),
    ).rejects.toThrow('refused');
    expect((await client.get('/project/1/views')).json()).toEqual([]);
  });
});
