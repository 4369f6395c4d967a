import type { MemberRole, RoleSlug } from '@signalbox/contract';
import type { ColumnType, Generated } from 'kysely';

/** A member of a project. */
export interface ProjectUserTable {
  project_id: ColumnType<number, number, never>;
  user_id: ColumnType<number, number, never>;
  role: MemberRole;
  /** The role of a member with `custom`; null for every other role. */
  role_id: ColumnType<number | null, number | null | undefined, number | null>;
}

/** A role of a project, or of the system if it has no project. */
export interface CustomRoleTable {
  id: Generated<number>;
  project_id: ColumnType<number | null, number | null, never>;
  name: string;
  starts_from: Exclude<RoleSlug, 'owner'>;
  permissions: number;
}
