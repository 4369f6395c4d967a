import { ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { VALID_REQUESTS } from '../../testing/requests/valid-request.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const columnsOf = ({ query }: RouteShape): readonly string[] => {
  const sort = query?.shape.sort;
  const names = sort instanceof z.ZodOptional ? sort.unwrap() : undefined;
  return names instanceof z.ZodEnum ? (names.options as string[]) : [];
};
const SORTED = (Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][]).filter(
  ([, route]) => columnsOf(route).length > 0,
);

const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const create = async (path: string, body: object) =>
    (await admin.post(`${sample.base}/${path}`, body)).json<{ id: number }>().id;
  const names = async (path: string) =>
    (await admin.get(`${sample.base}/${path}`)).json<{ name: string }[]>().map(({ name }) => name);
  return { server, admin, sample, create, names };
};

describeOneDatabase('a list', (makeLocation) => {
  it('can be sorted by each column in both directions', async () => {
    const { server, admin, sample } = await setUp(makeLocation);
    expect(SORTED.length).toBeGreaterThan(15);
    for (const [name, route] of SORTED) {
      const { params = {} } = await VALID_REQUESTS[name]({ server, admin, sample }, name);
      const all: Record<string, unknown> = { project_id: sample.projectId, ...params };
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(all[param]));
      for (const column of columnsOf(route))
        for (const order of ['asc', 'desc']) {
          const answer = await admin.get(`${path}?sort=${column}&order=${order}`);
          expect(answer.statusCode, `${name} by ${column}: ${answer.body}`).toBe(200);
        }
    }
  });

  it('can be sorted by the names of keys for inventories, and by the number of variables for environments', async () => {
    const { sample, create, names } = await setUp(makeLocation);
    const secret = { type: 'login_password', login_password: { login: 'x', password: 'y' } };
    const [b, a] = [await create('keys', { name: 'b', ...secret }), await create('keys', { name: 'a', ...secret })];
    await create('inventory', { name: '1', type: 'static', ssh_key_id: b, become_key_id: a });
    await create('inventory', { name: '2', type: 'static', ssh_key_id: a, become_key_id: b });
    expect(await names('inventory?sort=ssh_key')).toEqual(['2', '1', 'Hosts']);
    // Missing values come last.
    expect(await names('inventory?sort=become_key')).toEqual(['1', '2', 'Hosts']);
    await create('environment', { name: 'A', json: '{"a":1,"b":2}', env: '{"C":"3"}' });
    await create('environment', { name: 'B', json: '{"a":1}', secrets: [{ name: 's', type: 'var', secret: 'abcd' }] });
    expect(await names('environment?sort=variables&order=desc')).toEqual(['A', 'B', 'Empty']);
    expect((await names('environment?sort=secrets&order=desc'))[0]).toBe('B');
    expect(sample.environmentId).toBeGreaterThan(0);
  });

  it('can be sorted by duration for tasks', async () => {
    const { server, admin, sample } = await setUp(makeLocation);
    const template_id = await sample.template();
    const ids: number[] = [];
    for (const seconds of [20, 5, 90, undefined]) {
      const { id } = (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>();
      ids.push(id);
      if (seconds === undefined) continue;
      const start_time = '2026-03-01T12:00:00.000Z';
      const end_time = new Date(Date.parse(start_time) + seconds * 1000).toISOString();
      const ended = { status: 'success', start_time, end_time } as const;
      await server.storage.database.autocommit.updateTable('task').set(ended).where('id', '=', id).execute();
    }
    for (const path of [
      'tasks',
      'tasks/last',
      `templates/${template_id}/tasks`,
      `templates/${template_id}/tasks/last`,
    ]) {
      const tasks = (await admin.get(`${sample.base}/${path}?sort=duration&order=asc`)).json<{ id: number }[]>();
      expect(
        tasks.map(({ id }) => ids.indexOf(id)),
        path,
      ).toEqual([1, 0, 2, 3]);
    }
  });
});
