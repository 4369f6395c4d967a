import { holds, type PermissionName, ROLES } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { Caller } from './call.ts';
import { memberPermissions } from './member-permissions.ts';
import { isAdminOfProjects, reaches } from './token-grant.ts';

/** The projects that a caller may read, with the permissions in each; undefined for every permission in all projects. */
export type CallersProjects = ReadonlyMap<number, number> | undefined;

/** Finds the projects of a caller for calls that span projects. A token reaches only its own projects. */
export const callersProjects = async (db: StateReader, caller: Caller): Promise<CallersProjects> => {
  const { token } = caller;
  if (isAdminOfProjects(caller))
    return token?.projects && new Map([...token.projects].map((id) => [id, ROLES.owner.permissions]));
  const rows = await db
    .selectFrom('project_user')
    .leftJoin('custom_role', 'custom_role.id', 'project_user.role_id')
    .select(['project_user.project_id', 'project_user.role', 'custom_role.permissions'])
    .where('project_user.user_id', '=', caller.id)
    .execute();
  const reached = rows.filter(({ project_id }) => reaches(token, project_id));
  return new Map(reached.map((row) => [row.project_id, memberPermissions(row)]));
};

/** Whether the caller has a right in a project. */
export const holdsIn = (projects: CallersProjects, projectId: number, right: PermissionName): boolean => {
  if (projects === undefined) return true;
  return holds(projects.get(projectId) ?? 0, right);
};
