import type { RoleSlug } from '@signalbox/contract';

/** The roles from the widest to the narrowest, each with the key of its name. */
export const ROLE_WORDS = {
  owner: 'team.role.owner',
  manager: 'team.role.manager',
  task_runner: 'team.role.taskRunner',
  guest: 'team.role.guest',
} as const satisfies Record<RoleSlug, string>;
