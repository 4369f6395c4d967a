import { ADMIN_PERMISSIONS, holds, type RouteShape } from '@signalbox/contract';
import { accessOfMember } from '../../access/access.ts';
import { isOwner, memberPermissions } from '../../access/memberships.ts';
import { IS_RESTRICTED, readGroups, readRules } from '../../access/read-access.ts';
import type { StateReader } from '../../database/database.ts';
import { compiledQuery } from '../../database/queries/compiled-query.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import type { Caller, Membership } from './call.ts';
import { isAdminOfProjects, reaches, refuseKind } from './token-grant.ts';

const roleOf = compiledQuery((db, of: { readonly userId: number; readonly projectId: number }) =>
  db
    .selectFrom('project')
    .leftJoin('project_user', (join) =>
      join.onRef('project_user.project_id', '=', 'project.id').on('project_user.user_id', '=', of.userId),
    )
    .leftJoin('custom_role', 'custom_role.id', 'project_user.role_id')
    .select(['project_user.role', 'project_user.role_id', 'custom_role.permissions'])
    .select((eb) =>
      eb
        .or([
          eb.exists(eb.selectFrom('template').select('id').where('project_id', '=', of.projectId).where(IS_RESTRICTED)),
          eb.exists(eb.selectFrom('view').select('id').where('project_id', '=', of.projectId).where(IS_RESTRICTED)),
          eb.exists(eb.selectFrom('access_grant').select('id').where('project_id', '=', of.projectId)),
        ])
        .as('has_rules'),
    )
    .where('project.id', '=', of.projectId),
);

/** Finds the caller's membership in a project. Undefined when the caller must not learn that the project exists. */
const findMembership = async (db: StateReader, caller: Caller, projectId: number): Promise<Membership | undefined> => {
  if (!reaches(caller.token, projectId)) return undefined;
  const [row] = await roleOf(db, { userId: caller.id, projectId });
  if (!row) return undefined;
  const { role, role_id: roleId, permissions } = row;
  if (isAdminOfProjects(caller)) return { projectId, role: role ?? '', roleId, permissions: ADMIN_PERMISSIONS };
  if (!role) return undefined;
  const membership = { projectId, role, roleId, permissions: memberPermissions({ role, permissions }) };
  if (!row.has_rules || isOwner(membership.permissions)) return membership;
  const rules = (await readRules(db, [projectId])).get(projectId);
  if (!rules) return membership;
  const groups = (await readGroups(db, [caller.id])).get(caller.id) ?? new Set();
  return { ...membership, access: accessOfMember(rules, { userId: caller.id, ...membership, groups }) };
};

/**
 * Enforces the permission of a route. No other code does, except `authorizeTemplates` for restricted templates and grants.
 * @throws not_signed_in, not_permitted, or not_found for a project whose existence the caller must not learn
 */
export const authorize = async (
  db: StateReader,
  route: RouteShape,
  caller: Caller | undefined,
  params: { readonly project_id?: number; readonly user_id?: number },
): Promise<Membership | undefined> => {
  const { permission } = route;
  if (permission.kind === 'anyone') return undefined;
  if (!caller) throw new ApiError('not_signed_in');
  if (caller.token) refuseKind(route, caller.token);
  const isSelf = permission.kind === 'self' && caller.id === params.user_id;
  if ((permission.kind === 'admin' || permission.kind === 'self') && !caller.admin && !isSelf) {
    throw new ApiError('not_permitted.admins_only');
  }
  if (permission.kind === 'create_project' && !caller.admin && !caller.canCreateProject) {
    throw new ApiError('not_permitted.new_project');
  }
  if (permission.kind !== 'project') return undefined;
  const { project_id } = params;
  const membership = project_id === undefined ? undefined : await findMembership(db, caller, project_id);
  if (!membership) throw notFound();
  // A grant may permit the call, which `authorizeTemplates` decides when the template is known.
  const mayBeGranted = permission.grant !== undefined && membership.access !== undefined;
  if (permission.right && !mayBeGranted && !holds(membership.permissions, permission.right)) {
    throw new ApiError('not_permitted');
  }
  return membership;
};
