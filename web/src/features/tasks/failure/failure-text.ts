import type { Task, TaskFailure } from '@signalbox/contract';
import type { LogLine } from '../log/line-cache.ts';

/** Where a failure can be fixed, which selects the button. */
export type Remedy =
  | 'template'
  | 'time'
  | 'repository'
  | 'inventory'
  | 'keys'
  | 'limit'
  | 'code'
  | 'log'
  | 'server'
  | 'state';

export interface FailureText {
  /** Catalogue key of the text that says what failed. Its placeholders are the parameters of the failure. */
  readonly what: string;
  readonly remedy: Remedy;
  /** False when hosts may have been changed although no result was received. */
  readonly isBeforeHosts: boolean;
}

/** Number of lines at the end of a log that are searched for the reason. */
const SEARCHED_LINES = 60;

type Code = TaskFailure['code'];

const before = (what: string, remedy: Remedy): FailureText => ({ what, remedy, isBeforeHosts: true });
const during = (what: string, remedy: Remedy): FailureText => ({ what, remedy, isBeforeHosts: false });

const TEXTS: Readonly<Record<Code, FailureText>> = {
  'git.branch_missing': before('failure.branchMissing', 'repository'),
  'git.empty': before('failure.repositoryEmpty', 'repository'),
  'git.commit_missing': before('failure.commitMissing', 'log'),
  'git.unreachable': before('failure.repositoryUnreachable', 'repository'),
  'git.key_refused': before('failure.keyRefused', 'repository'),
  'git.login_refused': before('failure.loginRefused', 'repository'),
  'git.login_missing': before('failure.loginMissing', 'repository'),
  'git.certificate_refused': before('failure.certificateRefused', 'server'),
  'git.host_key_refused': before('failure.hostKeyRefused', 'server'),
  'git.refused': before('failure.repositoryRefused', 'repository'),
  'playbook.missing': before('failure.playbookMissing', 'template'),
  'playbook.outside': before('failure.playbookOutside', 'template'),
  'playbook.invalid': before('failure.playbookLine', 'code'),
  'ansible.refused': before('failure.ansibleRefused', 'log'),
  'limit.no_match': before('failure.limitNoMatch', 'limit'),
  'inventory.missing': before('failure.inventoryMissing', 'inventory'),
  'inventory.outside': before('failure.inventoryOutside', 'inventory'),
  'requirements.invalid': before('failure.requirementsInvalid', 'code'),
  'requirements.refused': before('failure.requirementRefused', 'code'),
  'requirements.not_installed': before('failure.rolesNotInstalled', 'log'),
  'key.unusable': before('failure.keyUnusable', 'keys'),
  'program.missing': before('failure.programMissing', 'server'),
  'preparation.failed': before('failure.preparationFailed', 'log'),
  'disk.full': during('failure.diskFull', 'server'),
  time_limit: during('failure.timeLimit', 'time'),
  'hosts.failed': during('failure.hostsFailed', 'log'),
  'ansible.exit': during('failure.ansibleExit', 'log'),
  'ansible.signal': during('failure.ansibleSignal', 'log'),
  'job.unreadable': before('failure.jobUnreadable', 'keys'),
  'runner.refused': before('failure.runnerRefused', 'server'),
  'runner.lost': during('failure.runnerLost', 'state'),
  'runner.silent': during('failure.runnerSilent', 'state'),
  'runner.removed': during('failure.runnerRemoved', 'state'),
};

/** Finds the text and the remedy of the failure of a task; general ones for an unknown failure. */
export const failureText = ({ failure, limit }: Pick<Task, 'failure' | 'limit'>): FailureText => {
  // A limit that is not that of the task comes from the arguments of the template.
  if (failure?.code === 'limit.no_match' && failure.limit !== limit) return before('failure.limitNoMatch', 'template');
  if (failure === null) return during('failure.unknown', 'log');
  if (failure.code === 'key.unusable' && failure.key_name !== undefined)
    return before('failure.keyNamedUnusable', 'keys');
  if (failure.code === 'requirements.not_installed' && failure.kind === 'collection')
    return before('failure.collectionsNotInstalled', 'log');
  if (failure.code === 'playbook.invalid' && failure.column !== null) return before('failure.playbookColumn', 'code');
  return TEXTS[failure.code] ?? during('failure.unknown', 'log');
};

/** Catalogue keys of the texts that say what to do. */
export const TODO: Readonly<Record<Remedy, string>> = {
  template: 'failure.todoTemplate',
  time: 'failure.todoTime',
  repository: 'failure.todoRepository',
  inventory: 'failure.todoInventory',
  keys: 'failure.todoKeys',
  limit: 'failure.todoLimit',
  code: 'failure.todoCode',
  log: 'failure.todoLog',
  server: 'failure.todoServer',
  state: 'failure.todoState',
};

/** The parameters of a failure as values for its text, with hashes shortened as everywhere in the console. */
export const failureValues = (failure: TaskFailure | null): Record<string, string | number> => {
  const values = Object.entries(failure ?? {}).filter(([, value]) => value !== null) as [string, string | number][];
  return Object.fromEntries(
    values.map(([name, value]) => [
      name === 'exit_code' ? 'code' : name,
      name === 'commit' ? String(value).slice(0, 7) : value,
    ]),
  );
};

/** The output of the failed program; empty when the text is complete without it. */
export const failureDetail = (failure: TaskFailure | null): string =>
  failure !== null && 'detail' in failure ? failure.detail : '';

/** Failures whose reason Ansible printed, not Signalbox. */
const PRINTED: ReadonlySet<string> = new Set<Code>(['playbook.invalid', 'ansible.refused', 'limit.no_match']);

/**
 * Number of the line that shows why a task failed. If Ansible printed the reason, this is the last line of output with the
 * detail of the failure, else the last line of output. If Signalbox found the reason, it is the last line of the log.
 * @param total number of lines of the log
 * @param lineAt returns a line by its number; undefined while it is not loaded
 */
export const reasonLine = (
  failure: TaskFailure | null,
  total: number,
  lineAt: (line: number) => LogLine | undefined,
): number => {
  if (failure === null || !PRINTED.has(failure.code)) return total;
  const detail = failureDetail(failure).slice(0, 40);
  let lastOutput = total;
  for (let line = total; line > Math.max(0, total - SEARCHED_LINES); line -= 1) {
    const [, text = '', source] = lineAt(line) ?? [];
    if (text.trim() === '' || source !== undefined) continue;
    if (detail === '' || text.includes(detail)) return line;
    if (lastOutput === total) lastOutput = line;
  }
  return lastOutput;
};
