import type { RoleRight } from '@signalbox/contract';

/** The rights of a role in groups, with the catalogue keys of their texts. */
export const RIGHT_GROUPS = [
  { title: 'roles.group.tasks', rights: ['run_tasks', 'stop_tasks', 'approve_tasks', 'edit_templates'] },
  { title: 'roles.group.schedules', rights: ['edit_schedules'] },
  { title: 'roles.group.resources', rights: ['edit_inventories', 'edit_repositories', 'edit_keys'] },
] as const satisfies readonly { readonly title: string; readonly rights: readonly RoleRight[] }[];

/** Catalogue keys of the name of each right. */
export const RIGHT_LABELS = {
  run_tasks: 'roles.right.runTasks',
  stop_tasks: 'roles.right.stopTasks',
  approve_tasks: 'roles.right.approveTasks',
  edit_templates: 'roles.right.editTemplates',
  edit_schedules: 'roles.right.editSchedules',
  edit_inventories: 'roles.right.editInventories',
  edit_repositories: 'roles.right.editRepositories',
  edit_keys: 'roles.right.editKeys',
} as const satisfies Record<RoleRight, string>;

/** Catalogue keys of what else a right means. */
export const RIGHT_HELP = {
  run_tasks: 'roles.help.runTasks',
  stop_tasks: 'roles.help.stopTasks',
  approve_tasks: 'roles.help.approveTasks',
  edit_templates: 'roles.help.editTemplates',
  edit_schedules: 'roles.help.editSchedules',
  edit_keys: 'roles.help.editKeys',
} as const satisfies Partial<Record<RoleRight, string>>;

/** The rights without those that another one includes. */
export const listedRights = (rights: readonly RoleRight[]): RoleRight[] =>
  rights.filter((right) => right !== 'stop_tasks' || !rights.includes('run_tasks'));
