import type { RequestDeps, ValidRequest } from './request.ts';

const bodyOf = (name: string) => ({ name, rights: ['run_tasks'] });

const made = async ({ admin }: RequestDeps, path: string, name: string): Promise<ValidRequest> => ({
  params: { role_id: (await admin.post(path, bodyOf(name))).json<{ id: number }>().id },
});

/** A role of the project, and one of the system. */
const ofProject = (deps: RequestDeps, name: string) => made(deps, `${deps.sample.base}/roles`, name);
const ofSystem = (deps: RequestDeps, name: string) => made(deps, '/roles', name);

const created = (_deps: RequestDeps, name: string): ValidRequest => ({ body: bodyOf(name) });
const listed = (): ValidRequest => ({});
const changed = (role: typeof ofProject) => async (deps: RequestDeps, name: string) => ({
  ...(await role(deps, name)),
  body: { rights: [] },
});

/** Valid requests about roles. */
export const ROLE_REQUESTS = {
  listRoles: listed,
  createRole: created,
  getCustomRole: ofProject,
  updateRole: changed(ofProject),
  deleteRole: ofProject,
  listSystemRoles: listed,
  createSystemRole: created,
  getSystemRole: ofSystem,
  updateSystemRole: changed(ofSystem),
  deleteSystemRole: ofSystem,
} as const;
