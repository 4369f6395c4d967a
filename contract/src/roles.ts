import { z } from 'zod';

/** The rights of a custom role, each with its bit. */
export const ROLE_BITS = {
  run_tasks: 1,
  stop_tasks: 16,
  edit_templates: 32,
  edit_schedules: 64,
  edit_inventories: 128,
  edit_repositories: 256,
  edit_keys: 512,
  approve_tasks: 1024,
} as const;
export const RoleRight = z.enum(Object.keys(ROLE_BITS) as [keyof typeof ROLE_BITS, ...(keyof typeof ROLE_BITS)[]]);
export type RoleRight = z.infer<typeof RoleRight>;

const MANAGE_RESOURCES = 4;
const MANAGE_USERS = 8;

/** The rights that routes can require. Each lists the bits of a role of which one is enough. */
export const PERMISSION = {
  run_tasks: ROLE_BITS.run_tasks,
  update_project: 2,
  manage_resources: MANAGE_RESOURCES,
  manage_users: MANAGE_USERS,
  stop_tasks: ROLE_BITS.stop_tasks | ROLE_BITS.run_tasks,
  /** Of the fixed roles only owners have it, so that a manager who edits a template cannot approve its tasks. */
  approve_tasks: ROLE_BITS.approve_tasks | MANAGE_USERS,
  edit_templates: ROLE_BITS.edit_templates | MANAGE_RESOURCES,
  edit_schedules: ROLE_BITS.edit_schedules | MANAGE_RESOURCES,
  edit_inventories: ROLE_BITS.edit_inventories | MANAGE_RESOURCES,
  edit_repositories: ROLE_BITS.edit_repositories | MANAGE_RESOURCES,
  edit_keys: ROLE_BITS.edit_keys | MANAGE_RESOURCES,
  /** To list branches and files, which the forms of templates and repositories offer. */
  read_repositories: ROLE_BITS.edit_templates | ROLE_BITS.edit_repositories | MANAGE_RESOURCES,
} as const;
export type PermissionName = keyof typeof PERMISSION;

export const ROLES = {
  owner: { title: 'Owner', permissions: 15 },
  manager: { title: 'Manager', permissions: 5 },
  task_runner: { title: 'Task Runner', permissions: 1 },
  guest: { title: 'Guest', permissions: 0 },
} as const;

export const RoleSlug = z.enum(['owner', 'manager', 'task_runner', 'guest']);
export type RoleSlug = z.infer<typeof RoleSlug>;

/** The role of a member. `custom` stands for a custom role, which has an id. */
export const MemberRole = z.enum([...RoleSlug.options, 'custom']);
export type MemberRole = z.infer<typeof MemberRole>;

/** A system admin has every permission in every project, also without being a member. */
export const ADMIN_PERMISSIONS = 15;

export const holds = (permissions: number, right: PermissionName): boolean => (permissions & PERMISSION[right]) !== 0;

/** The rights that permissions include. */
export const rightsOf = (permissions: number): RoleRight[] =>
  RoleRight.options.filter((right) => holds(permissions, right));

const EDIT_RIGHTS = RoleRight.options.filter((right) => right.startsWith('edit_'));

/** The permissions of a role with these rights. With every right to edit, it manages all resources. */
export const permissionsOf = (rights: readonly RoleRight[]): number =>
  rights.reduce<number>(
    (sum, right) => sum | ROLE_BITS[right],
    EDIT_RIGHTS.every((right) => rights.includes(right)) ? MANAGE_RESOURCES : 0,
  );
