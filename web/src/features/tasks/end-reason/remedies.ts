import { BEFORE_HOSTS } from 'virtual:routes';
import type { EndReasonCode, Task } from '@signalbox/contract';

/** Where the cause of an end can be fixed, which selects the button. */
export type Remedy =
  | 'template'
  | 'time'
  | 'repository'
  | 'inventory'
  | 'keys'
  | 'limit'
  | 'code'
  | 'module'
  | 'log'
  | 'server'
  | 'state';

interface Ending {
  readonly remedy: Remedy;
  /** False when hosts may have been changed although no result was received. */
  readonly isBeforeHosts: boolean;
}

const REMEDIES: Readonly<Record<EndReasonCode, Remedy>> = {
  'stop.user': 'log',
  'stop.forced': 'log',
  'stop.unreachable': 'log',
  'stop.rejected': 'log',
  'stop.outdated': 'log',
  'stop.runner': 'log',
  'stop.unknown': 'log',
  time_limit: 'time',
  'git.branch_missing': 'repository',
  'git.empty': 'repository',
  'git.commit_missing': 'log',
  'git.unreachable': 'repository',
  'git.key_refused': 'repository',
  'git.login_refused': 'repository',
  'git.login_missing': 'repository',
  'git.certificate_refused': 'server',
  'git.host_key_refused': 'server',
  'git.address_invalid': 'repository',
  'git.protocol_refused': 'repository',
  'git.local_disabled': 'repository',
  'git.local_outside': 'repository',
  'git.plain_folder': 'repository',
  'git.submodule_refused': 'code',
  'git.submodules_nested': 'code',
  'git.file_unreadable': 'server',
  'git.refused': 'repository',
  'playbook.missing': 'template',
  'playbook.outside': 'template',
  'inventory.missing': 'inventory',
  'inventory.outside': 'inventory',
  'requirements.invalid': 'code',
  'requirements.refused': 'code',
  'requirements.roles_not_installed': 'log',
  'requirements.collections_not_installed': 'log',
  'execution_environment.not_allowed': 'template',
  'virtual_environment.requirement_refused': 'template',
  'virtual_environment.file_missing': 'template',
  'virtual_environment.tool_missing': 'server',
  'virtual_environment.not_installed': 'log',
  'virtual_environment.too_slow': 'log',
  'virtual_environment.program_missing': 'template',
  'key.damaged': 'keys',
  'key.passphrase_wrong': 'keys',
  'key.not_for_become': 'inventory',
  'key.agent_failed': 'server',
  'config.unreadable': 'code',
  'program.missing': 'server',
  'program.not_started': 'server',
  'preparation.failed': 'log',
  'container.engine_missing': 'server',
  'container.engine_failed': 'server',
  'container.not_started': 'template',
  'container.image_missing': 'template',
  'container.image_not_pulled': 'template',
  'container.image_not_opened': 'template',
  'container.login_refused': 'keys',
  'container.pull_failed': 'log',
  'container.program_missing': 'template',
  'container.network_refused': 'template',
  'container.out_of_memory': 'template',
  'playbook.invalid': 'code',
  'playbook.module_missing': 'module',
  'ansible.refused': 'log',
  'limit.no_match': 'limit',
  'hosts.unresolved': 'log',
  'hosts.not_locked': 'code',
  'hosts.failed': 'log',
  'hosts.unreachable': 'log',
  'hosts.host_key_changed': 'log',
  'ansible.exit': 'log',
  'ansible.signal': 'log',
  'playbook.failed': 'log',
  'disk.full': 'server',
  'supervisor.not_started': 'server',
  'supervisor.lost': 'state',
  'job.unreadable': 'keys',
  'runner.refused': 'server',
  'runner.lost': 'state',
  'runner.silent': 'state',
  'runner.removed': 'state',
};

/** Where the cause of a task's end can be fixed; the log for an unknown reason. */
export const endingOf = ({ end_reason: reason, limit }: Pick<Task, 'end_reason' | 'limit'>): Ending => {
  if (!reason) return { remedy: 'log', isBeforeHosts: false };
  const isBeforeHosts = BEFORE_HOSTS.includes(reason.code);
  // A limit that differs from the limit of the task comes from the arguments of the template.
  if (reason.code === 'limit.no_match' && reason.params.limit !== limit) return { remedy: 'template', isBeforeHosts };
  // A newer server may return a code that this page does not know.
  return { remedy: REMEDIES[reason.code] ?? 'log', isBeforeHosts };
};

/** Catalogue keys of the texts that describe what to do. */
export const TODO: Readonly<Record<Remedy, string>> = {
  template: 'failure.todoTemplate',
  time: 'failure.todoTime',
  repository: 'failure.todoRepository',
  inventory: 'failure.todoInventory',
  keys: 'failure.todoKeys',
  limit: 'failure.todoLimit',
  code: 'failure.todoCode',
  module: 'failure.todoModule',
  log: 'failure.todoLog',
  server: 'failure.todoServer',
  state: 'failure.todoState',
};
