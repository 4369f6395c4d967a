import type { RoleSlug } from '@signalbox/contract';

/** The roles from most to fewest permissions, with the catalogue keys of their names. */
export const ROLE_LABELS = {
  owner: 'team.role.owner',
  manager: 'team.role.manager',
  task_runner: 'team.role.taskRunner',
  guest: 'team.role.guest',
} as const satisfies Record<RoleSlug, string>;
