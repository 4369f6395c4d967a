import { GrantRight, ROUTE_TABLE, type RouteName, type RouteShape } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { OBJECTS_OF_TEMPLATES } from '../../database/queries/objects-of-templates.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { RIGHTS } from '../../testing/requests/rights-matrix.ts';
import { VALID_REQUESTS } from '../../testing/requests/valid-request.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const CALLS = (Object.entries(ROUTE_TABLE) as [RouteName, RouteShape][]).filter(
  ([name, { permission }]) => permission.kind === 'project' && name !== 'leaveProject' && name !== 'deleteProject',
);

/** The calls that each right of a grant permits on its template, in addition to reading. Independent of the route table. */
const CALLS_OF_GRANT: Readonly<Record<GrantRight, readonly RouteName[]>> = {
  see: [],
  run: ['createTask', 'stopTask', 'runTemplates', 'listChoices', 'createSavedLaunch'],
  approve: ['approveTask', 'rejectTask'],
  edit: ['updateTemplate', 'changeTemplates', 'getBadgeLink', 'createBadgeLink', 'deleteBadgeLink', 'keepTask'],
};

describeOneDatabase('[S1] a grant', (makeLocation) => {
  const setUp = async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { template: makeTemplate, ...project } = await sampleProject(admin);
    let rights: readonly GrantRight[] = [];
    let restricted = false;
    /** A template on which everyone has the rights of the moment. */
    const template = async (input: object = {}) => {
      const template_id = await makeTemplate({ ...input, restricted });
      for (const role of ['guest', 'manager'])
        await admin.post(`${project.base}/grants`, { template_id, role, rights });
      return template_id;
    };
    const sample = { ...project, template };
    const permits = async (client: typeof admin, name: RouteName, run: string): Promise<boolean> => {
      const request = await VALID_REQUESTS[name]({ server, admin, sample }, `${name}-${run}`);
      const params: Record<string, number | string> = { project_id: sample.projectId, ...request.params };
      const { method, path } = ROUTE_TABLE[name];
      const url = `/api${path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(params[param] ?? 'missing'))}`;
      const answer = await client.send({ method, url, ...(request.body ? { payload: request.body } : {}) });
      expect(answer.statusCode, `${name}: ${answer.body}`).not.toBe(404);
      return answer.statusCode !== 403;
    };
    const withGrant = (given: readonly GrantRight[], isRestricted: boolean) => {
      rights = given;
      restricted = isRestricted;
    };
    const member = (role: 'guest' | 'manager') => addMember(server, role, { projectId: sample.projectId, role });
    return { permits, withGrant, member };
  };

  it('permits a guest exactly the calls of its rights on its template', async () => {
    const { permits, withGrant, member } = await setUp();
    const guest = await member('guest');
    const granted = Object.values(CALLS_OF_GRANT).flat();
    const others = CALLS.filter(([name]) => !granted.includes(name));
    const names = [...granted, ...drawSample('calls by grant: guests', others, 25).map(([name]) => name)];
    for (const name of names)
      for (const right of GrantRight.options) {
        withGrant([right], false);
        const wanted = RIGHTS[name] === RIGHTS.getProject || CALLS_OF_GRANT[right].includes(name);
        expect(await permits(guest, name, right), `${name} with ${right}`).toBe(wanted);
      }
  }, 120_000);

  it('replaces the role of a manager on a restricted template', async () => {
    const { permits, withGrant, member } = await setUp();
    const manager = await member('manager');
    const ofTemplates = CALLS.filter(([, { permission, params, body }]) => {
      const right = permission.kind === 'project' ? permission.right : undefined;
      const isOfTemplate = ['template', ...OBJECTS_OF_TEMPLATES].some((table) =>
        Object.hasOwn(params?.shape ?? {}, `${table}_id`),
      );
      return isOfTemplate && body !== undefined && right !== undefined;
    });
    for (const [name] of ofTemplates)
      for (const right of GrantRight.options) {
        withGrant([right], true);
        const wanted = CALLS_OF_GRANT[right].includes(name);
        expect(await permits(manager, name, `restricted-${right}`), `${name} with ${right}`).toBe(wanted);
      }
  }, 120_000);
});
