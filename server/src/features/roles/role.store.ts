import {
  type CustomRole,
  MAX_ROLES,
  type MemberRole,
  type NewRole,
  permissionsOf,
  rightsOf,
} from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { CustomRoleTable } from '../../database/access.schema.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { ApiError, badField } from '../../http/errors/api-error.ts';

export type RoleRow = Selectable<CustomRoleTable>;

/** The roles of a project, or those of the system: `projectId` is null. */
export const rolesOf = (db: StateReader, projectId: number | null) =>
  db.selectFrom('custom_role').selectAll().where('project_id', 'is not distinct from', projectId);

export const presentRole = ({ permissions, ...row }: RoleRow): CustomRole => ({
  ...row,
  rights: rightsOf(permissions),
});

export const roleColumns = ({ rights, ...role }: NewRole) => ({ ...role, permissions: permissionsOf(rights) });

/** @throws conflict when the project, or the system, has the maximum number of roles */
export const insertRole = async (tx: StateTransaction, projectId: number | null, role: NewRole): Promise<RoleRow> => {
  const roles = await rolesOf(tx, projectId).execute();
  if (roles.length >= MAX_ROLES) throw new ApiError('conflict.roles_full', { max: MAX_ROLES });
  return await tx
    .insertInto('custom_role')
    .values({ ...roleColumns(role), project_id: projectId })
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** The role that a member is given, with its name if it is one of `custom`. */
export interface GivenRole {
  readonly role: MemberRole;
  readonly role_id: number | null;
  readonly name: string;
}

/**
 * Finds the role that a request names.
 * @throws bad_input when the id is not that of a role of the project or of the system, or belongs to no fixed role
 */
export const findGivenRole = async (
  tx: StateReader,
  projectId: number,
  role: MemberRole,
  roleId: number | null | undefined,
): Promise<GivenRole> => {
  if (role !== 'custom') {
    if (roleId !== null && roleId !== undefined) throw badField('role_id', 'field.fixed_role', { role });
    return { role, role_id: null, name: '' };
  }
  if (roleId === null || roleId === undefined) throw badField('role_id', 'field.required');
  const row = await tx.selectFrom('custom_role').selectAll().where('id', '=', roleId).executeTakeFirst();
  if (!row || (row.project_id !== null && row.project_id !== projectId)) throw badField('role_id', 'field.not_role');
  return { role, role_id: row.id, name: row.name };
};

/** The name of a role of a project or of the system; empty for a fixed role, which has no id. */
export const nameOfRole = async (db: StateReader, roleId: number | null): Promise<string> => {
  if (roleId === null) return '';
  const row = await db.selectFrom('custom_role').select('name').where('id', '=', roleId).executeTakeFirstOrThrow();
  return row.name;
};
