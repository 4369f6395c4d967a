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

const before = (remedy: Remedy): Ending => ({ remedy, isBeforeHosts: true });
const during = (remedy: Remedy): Ending => ({ remedy, isBeforeHosts: false });

const ENDINGS: Readonly<Record<EndReasonCode, Ending>> = {
  'stop.user': during('log'),
  'stop.forced': during('log'),
  'stop.unreachable': during('log'),
  'stop.rejected': before('log'),
  'stop.outdated': before('log'),
  'stop.runner': during('log'),
  'stop.unknown': during('log'),
  time_limit: during('time'),
  'git.branch_missing': before('repository'),
  'git.empty': before('repository'),
  'git.commit_missing': before('log'),
  'git.unreachable': before('repository'),
  'git.key_refused': before('repository'),
  'git.login_refused': before('repository'),
  'git.login_missing': before('repository'),
  'git.certificate_refused': before('server'),
  'git.host_key_refused': before('server'),
  'git.address_invalid': before('repository'),
  'git.protocol_refused': before('repository'),
  'git.local_disabled': before('repository'),
  'git.local_outside': before('repository'),
  'git.plain_folder': before('repository'),
  'git.submodule_refused': before('code'),
  'git.submodules_nested': before('code'),
  'git.file_unreadable': before('server'),
  'git.refused': before('repository'),
  'playbook.missing': before('template'),
  'playbook.outside': before('template'),
  'inventory.missing': before('inventory'),
  'inventory.outside': before('inventory'),
  'requirements.invalid': before('code'),
  'requirements.refused': before('code'),
  'requirements.roles_not_installed': before('log'),
  'requirements.collections_not_installed': before('log'),
  'execution_environment.not_allowed': before('template'),
  'virtual_environment.requirement_refused': before('template'),
  'virtual_environment.file_missing': before('template'),
  'virtual_environment.tool_missing': before('server'),
  'virtual_environment.not_installed': before('log'),
  'virtual_environment.too_slow': before('log'),
  'virtual_environment.program_missing': before('template'),
  'key.damaged': before('keys'),
  'key.passphrase_wrong': before('keys'),
  'key.not_for_become': before('inventory'),
  'key.agent_failed': before('server'),
  'config.unreadable': before('code'),
  'program.missing': before('server'),
  'program.not_started': before('server'),
  'preparation.failed': before('log'),
  'container.engine_missing': before('server'),
  'container.engine_failed': before('server'),
  'container.not_started': before('template'),
  'container.image_missing': before('template'),
  'container.image_not_pulled': before('template'),
  'container.image_not_opened': before('template'),
  'container.login_refused': before('keys'),
  'container.pull_failed': before('log'),
  'container.program_missing': before('template'),
  'container.network_refused': before('template'),
  'container.out_of_memory': during('template'),
  'playbook.invalid': before('code'),
  'playbook.module_missing': before('module'),
  'ansible.refused': before('log'),
  'limit.no_match': before('limit'),
  'hosts.unresolved': before('log'),
  'hosts.not_locked': during('code'),
  'hosts.failed': during('log'),
  'hosts.unreachable': during('log'),
  'hosts.host_key_changed': during('log'),
  'ansible.exit': during('log'),
  'ansible.signal': during('log'),
  'playbook.failed': during('log'),
  'disk.full': during('server'),
  'supervisor.not_started': before('server'),
  'supervisor.lost': during('state'),
  'job.unreadable': before('keys'),
  'runner.refused': before('server'),
  'runner.lost': during('state'),
  'runner.silent': during('state'),
  'runner.removed': during('state'),
};

/** Where the cause of a task's end can be fixed; the log for an unknown reason. */
export const endingOf = ({ end_reason: reason, limit }: Pick<Task, 'end_reason' | 'limit'>): Ending => {
  // A limit that differs from the limit of the task comes from the arguments of the template.
  if (reason?.code === 'limit.no_match' && reason.params.limit !== limit) return before('template');
  // A newer server may return a code that this page does not know.
  return (reason && ENDINGS[reason.code]) ?? during('log');
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
