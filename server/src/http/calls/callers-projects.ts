import { type GrantRight, holds, type PermissionName, ROLES } from '@signalbox/contract';
import { type AccessOfMember, accessOfMember } from '../../access/access.ts';
import { isOwner, memberOf, selectMemberships } from '../../access/memberships.ts';
import { readGroups, readRules } from '../../access/read-access.ts';
import type { StateReader } from '../../database/database.ts';
import type { Caller } from './call.ts';
import { isAdminOfProjects, reaches } from './token-grant.ts';

/** What a caller may do in a project. */
interface ProjectAccess {
  readonly permissions: number;
  /** Restrictions and grants; undefined if the role alone decides. */
  readonly access: AccessOfMember | undefined;
  /** Ids of the templates that the caller must not see. */
  readonly hidden: ReadonlySet<number>;
}

/** The projects that a caller may read; undefined for every permission in all projects. */
export type CallersProjects = ReadonlyMap<number, ProjectAccess> | undefined;

const byRole = (permissions: number): ProjectAccess => ({ permissions, access: undefined, hidden: new Set() });

/** Finds the projects of a caller for calls that span projects. A token reaches only its own projects. */
export const callersProjects = async (db: StateReader, caller: Caller): Promise<CallersProjects> => {
  const { token } = caller;
  if (isAdminOfProjects(caller))
    return token?.projects && new Map([...token.projects].map((id) => [id, byRole(ROLES.owner.permissions)]));
  const rows = await selectMemberships(db).where('project_user.user_id', '=', caller.id).execute();
  const reached = rows.filter(({ project_id }) => reaches(token, project_id));
  const rules = await readRules(
    db,
    reached.map(({ project_id }) => project_id),
  );
  const groups = rules.size === 0 ? undefined : (await readGroups(db, [caller.id])).get(caller.id);
  return new Map(
    reached.map((row) => {
      const member = memberOf(row, groups);
      const own = rules.get(row.project_id);
      if (!own || isOwner(member.permissions)) return [row.project_id, byRole(member.permissions)];
      const access = accessOfMember(own, member);
      return [row.project_id, { permissions: member.permissions, access, hidden: access.hidden }];
    }),
  );
};

/** Whether the caller has a right on a template of a project, by the role or by a grant. */
export const holdsOn = (
  projects: CallersProjects,
  { project_id, template_id }: { readonly project_id: number; readonly template_id: number },
  right: PermissionName,
  grant: GrantRight = 'run',
): boolean => {
  if (projects === undefined) return true;
  const project = projects.get(project_id);
  if (!project) return false;
  const isByRole = holds(project.permissions, right);
  return project.access?.decide(template_id, grant, isByRole).allowed ?? isByRole;
};

/** Whether the caller may see a template of a project. */
export const seesTemplate = (
  projects: CallersProjects,
  { project_id, template_id }: { readonly project_id: number; readonly template_id: number },
): boolean => projects === undefined || projects.get(project_id)?.hidden.has(template_id) === false;
