import { ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { VALID_REQUESTS } from '../../testing/requests/valid-request.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const ROUTES = Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][];
/** Parameters of paths whose objects belong to a template. */
const OF_TEMPLATES = ['template_id', 'task_id', 'schedule_id', 'webhook_id', 'launch_id', 'call_id'];
const SECRET = 'Secret release';

const urlOf = (path: string, params: Readonly<Record<string, number | string>>): string =>
  `/api${path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(params[param] ?? 'missing'))}`;

describeOneDatabase('[S2] a restricted template', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { template: makeTemplate, ...project } = await sampleProject(admin);
    let count = 0;
    const template = async (input: object = {}) =>
      await makeTemplate({
        ...input,
        name: `${SECRET} ${++count}`,
        restricted: true,
        type: 'build',
        start_version: '1.0',
      });
    const sample = { ...project, template };
    const manager = await addMember(server, 'ana', { projectId: sample.projectId, role: 'manager' });
    return { server, admin, sample, manager };
  };

  it('and what belongs to it are answered to managers without a grant like unknown ids', async () => {
    const { server, admin, sample, manager } = await setUp();
    const routes = ROUTES.filter(
      ([name, { params, permission }]) =>
        permission.kind === 'project' &&
        Object.keys(params?.shape ?? {}).some((param) => OF_TEMPLATES.includes(param)) &&
        name !== 'deleteTask',
    );
    for (const [name, { method, path }] of drawSample('hidden templates: objects', routes, 25)) {
      const request = await VALID_REQUESTS[name]({ server, admin, sample }, name);
      const params = { project_id: sample.projectId, ...request.params };
      const unknown = Object.fromEntries(OF_TEMPLATES.map((param) => [param, 2_000_000_000]));
      const send = (url: string) => manager.send({ method, url, ...(request.body ? { payload: request.body } : {}) });
      const hidden = await send(urlOf(path, params));
      const missing = await send(urlOf(path, { ...params, ...unknown }));
      expect([403, 404], `${name}: ${hidden.body}`).toContain(hidden.statusCode);
      expect(hidden.body, name).toBe(missing.body);
    }
  }, 60_000);

  it('is not named in any list', async () => {
    const { server, admin, sample, manager } = await setUp();
    const { base, projectId } = sample;
    for (const name of ['createTask', 'createSchedule', 'createWebhook', 'createFreezeWindow'] as const) {
      const request = await VALID_REQUESTS[name]({ server, admin, sample }, `of ${SECRET}`);
      const body = { ...request.body, template_id: await sample.template() };
      const answer = await admin.post(`${base}${ROUTE_TABLE[name].path.replace('/project/{project_id}', '')}`, body);
      expect(answer.statusCode, `${name}: ${answer.body}`).toBe(201);
    }
    const lists = ROUTES.filter(([, { method, path }]) => method === 'GET' && !/\{(?!project_id)/.test(path));
    let seenByAdmin = 0;
    for (const [name, { path }] of lists) {
      const url = urlOf(path, { project_id: projectId });
      expect((await manager.send({ method: 'GET', url })).body, name).not.toContain(SECRET);
      if ((await admin.send({ method: 'GET', url })).body.includes(SECRET)) seenByAdmin += 1;
    }
    // Templates, tasks, schedules, webhooks, events, and what spans projects.
    expect(seenByAdmin).toBeGreaterThan(8);
    for (const [path, id] of [
      ['inventory', sample.inventoryId],
      ['repositories', sample.repositoryId],
    ] as const)
      expect((await manager.get(`${base}/${path}/${id}/refs`)).body).not.toContain(SECRET);
  });
});
