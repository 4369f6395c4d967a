import { ROUTE_TABLE, RoleRight, type RouteName, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { drawSample, shuffle } from '../../../../testing/sample.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { CALLS_OF_RIGHT, RIGHTS } from '../../testing/requests/rights-matrix.ts';
import { VALID_REQUESTS } from '../../testing/requests/valid-request.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const CALLS = (Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][]).filter(
  ([, { permission }]) => permission.kind === 'project',
);
const READ = RIGHTS.getProject;

describeOneDatabase('[S1] custom roles', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const sample = await sampleProject(admin);
    const client = await addMember(server, 'ana', { projectId: sample.projectId, role: 'guest' });
    const { id } = (await client.get('/user')).json<{ id: number }>();
    const { id: role_id } = (await admin.post(`${sample.base}/roles`, { name: 'Own', rights: [] })).json<{
      id: number;
    }>();
    await admin.put(`${sample.base}/users/${id}`, { role: 'custom', role_id });
    const setRights = (rights: readonly RoleRight[]) => admin.put(`${sample.base}/roles/${role_id}`, { rights });
    const isPermitted = async (name: RouteName, run: string): Promise<boolean> => {
      const request = await VALID_REQUESTS[name]({ server, admin, sample }, `${name}-${run}`);
      const params: Record<string, number | string> = { project_id: sample.projectId, ...request.params };
      const { method, path } = ROUTE_TABLE[name];
      const url = `/api${path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(params[param] ?? 'missing'))}`;
      const answer = await client.send({ method, url, ...(request.body ? { payload: request.body } : {}) });
      expect(answer.statusCode, `${name}: ${answer.body}`).not.toBe(404);
      return answer.statusCode !== 403;
    };
    return { setRights, isPermitted };
  };

  it('permit exactly the calls of each of their rights', async () => {
    const { setRights, isPermitted } = await setUp();
    // Leaving the project would end the test.
    const calls = CALLS.filter(([name]) => name !== 'leaveProject');
    for (const [name] of drawSample('calls by right: roles', calls, 40)) {
      for (const right of RoleRight.options) {
        await setRights([right]);
        const wanted = RIGHTS[name] === READ || CALLS_OF_RIGHT[right].includes(name);
        expect(await isPermitted(name, right), `${name} with ${right}`).toBe(wanted);
      }
    }
  }, 120_000);

  it('never permit more when a right is taken away', async () => {
    const { setRights, isPermitted } = await setUp();
    const named = [...new Set(Object.values(CALLS_OF_RIGHT).flat())];
    for (const name of drawSample('rights taken away', named, 12)) {
      let permitted = true;
      const rights = [...shuffle(`rights taken away: ${name}`, RoleRight.options)];
      while (rights.pop() !== undefined) {
        await setRights(rights);
        const now = await isPermitted(name, rights.join('-'));
        expect(permitted || !now, `${name} with ${rights.join(', ')}`).toBe(true);
        permitted = now;
      }
      expect(permitted, `${name} without rights`).toBe(false);
    }
  }, 120_000);
});
