import { holds, type MemberRole, ROLES } from '@signalbox/contract';
import type { StateReader } from '../database/database.ts';

/** A row of a membership with the permissions of its role. */
export interface MembershipRow {
  readonly user_id: number;
  readonly project_id: number;
  readonly role: MemberRole;
  readonly role_id: number | null;
  /** The permissions of a role of `custom`; null for a fixed role. */
  readonly permissions: number | null;
}

/** The memberships of users or of projects, with the permissions of their roles. */
export const selectMemberships = (db: StateReader) =>
  db
    .selectFrom('project_user')
    .leftJoin('custom_role', 'custom_role.id', 'project_user.role_id')
    .select(['project_user.user_id', 'project_user.project_id', 'project_user.role', 'project_user.role_id'])
    .select('custom_role.permissions');

/** What a member may do in the project, as the sum of permissions. */
export const memberPermissions = ({ role, permissions }: Pick<MembershipRow, 'role' | 'permissions'>): number =>
  role === 'custom' ? (permissions ?? 0) : ROLES[role].permissions;

/** Whether permissions are those of an owner, to whom restrictions do not apply. */
export const isOwner = (permissions: number): boolean => holds(permissions, 'manage_users');

/** A member of a project, as far as restrictions and grants depend on it. */
export interface AccessMember {
  readonly userId: number;
  readonly role: MemberRole | '';
  readonly roleId: number | null;
  readonly permissions: number;
  /** Groups of the user at the identity provider. */
  readonly groups: ReadonlySet<string>;
}

/** The member of a membership. `groups` are those of the user at the identity provider. */
export const memberOf = (
  row: Omit<MembershipRow, 'project_id'>,
  groups: ReadonlySet<string> | undefined,
): AccessMember & { readonly role: MemberRole } => ({
  userId: row.user_id,
  role: row.role,
  roleId: row.role_id,
  permissions: memberPermissions(row),
  groups: groups ?? new Set(),
});
