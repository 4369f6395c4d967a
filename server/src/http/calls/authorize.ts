import { ADMIN_PERMISSIONS, holds, type RouteShape } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { compiledQuery } from '../../database/queries/compiled-query.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import type { Caller, Membership } from './call.ts';
import { memberPermissions } from './member-permissions.ts';
import { isAdminOfProjects, reaches, refuseKind } from './token-grant.ts';

const roleOf = compiledQuery((db, of: { readonly userId: number; readonly projectId: number }) =>
  db
    .selectFrom('project')
    .leftJoin('project_user', (join) =>
      join.onRef('project_user.project_id', '=', 'project.id').on('project_user.user_id', '=', of.userId),
    )
    .leftJoin('custom_role', 'custom_role.id', 'project_user.role_id')
    .select(['project_user.role', 'project_user.role_id', 'custom_role.permissions'])
    .where('project.id', '=', of.projectId),
);

/** Finds the caller's membership in a project. Undefined when the caller must not learn that the project exists. */
const findMembership = async (db: StateReader, caller: Caller, projectId: number): Promise<Membership | undefined> => {
  if (!reaches(caller.token, projectId)) return undefined;
  const [row] = await roleOf(db, { userId: caller.id, projectId });
  if (!row) return undefined;
  const { role, role_id: roleId, permissions } = row;
  if (isAdminOfProjects(caller)) return { projectId, role: role ?? '', roleId, permissions: ADMIN_PERMISSIONS };
  return role ? { projectId, role, roleId, permissions: memberPermissions({ role, permissions }) } : undefined;
};

/**
 * Enforces the permission of a route. No other code does.
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
  if (permission.right && !holds(membership.permissions, permission.right)) {
    throw new ApiError('not_permitted');
  }
  return membership;
};
