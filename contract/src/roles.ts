import { z } from 'zod';

/** The permissions of a role. A check passes if the role has every required bit, or if the user is a system admin. */
export const PERMISSION = {
  run_tasks: 1,
  update_project: 2,
  manage_resources: 4,
  manage_users: 8,
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

/** A system admin has every permission in every project, also without being a member. */
export const ADMIN_PERMISSIONS = 15;

export const holds = (permissions: number, right: PermissionName): boolean => (permissions & PERMISSION[right]) !== 0;
