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

/** Rights on a template or on the templates of a view. One of the two is not null; so is one of user, role and group. */
export interface AccessGrantTable {
  id: Generated<number>;
  project_id: ColumnType<number, number, never>;
  template_id: number | null;
  view_id: number | null;
  user_id: number | null;
  role: MemberRole | null;
  role_id: number | null;
  /** Empty for a user or a role. */
  group_name: string;
  /** Separated by commas. */
  rights: string;
  inventory_id: number | null;
  limit_hosts: string;
  /** JSON object. */
  answers: string;
  granted_by: number | null;
  granted_by_name: string;
  created: string;
}

/** A group of a user that the identity provider sent at the last sign-in. */
export interface UserGroupTable {
  user_id: ColumnType<number, number, never>;
  name: ColumnType<string, string, never>;
}
