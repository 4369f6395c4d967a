import type { EndReason, EndReasonCode, Message } from '@signalbox/contract';
import type { MakeText } from './message-text.ts';

/** Characters of a commit hash that are shown. */
const SHORT_HASH = 7;

/** The message with another text if the name in it is unknown. */
const named = (message: Message, name: string): Message =>
  name === '' ? { ...message, code: `${message.code}.unnamed` } : message;

const limitMessage = (seconds: number | null): Message => {
  if (seconds === null) return { code: 'time_limit.unknown' };
  return seconds % 60 === 0
    ? { code: 'time_limit.minutes', params: { count: seconds / 60 } }
    : { code: 'time_limit.seconds', params: { count: seconds } };
};

/** The message that explains why a task ended, for `textsIn` with the catalogues `end-reasons`. */
export const endReasonMessage = (reason: EndReason): Message => {
  switch (reason.code) {
    case 'stop.user':
      return reason.params.user === '' ? { code: 'stop.unknown' } : reason;
    case 'stop.forced':
    case 'stop.unreachable':
    case 'stop.rejected':
      return named(reason, reason.params.user);
    case 'time_limit':
      return limitMessage(reason.params.seconds);
    case 'git.commit_missing':
      return { ...reason, params: { ...reason.params, commit: reason.params.commit.slice(0, SHORT_HASH) } };
    case 'git.refused':
      return named(reason, reason.params.repository);
    case 'key.damaged':
    case 'key.passphrase_wrong':
      return named({ code: reason.code, params: { key_name: reason.params.key_name } }, reason.params.key_name);
    case 'playbook.invalid': {
      const { file, line, column } = reason.params;
      return column === null
        ? { code: 'playbook.invalid.line', params: { file, line } }
        : { code: 'playbook.invalid.column', params: { file, line, column } };
    }
    case 'hosts.failed':
    case 'hosts.unreachable': {
      const { hosts, ...params } = reason.params;
      const bad = reason.code === 'hosts.failed' ? reason.params.failed : reason.params.unreachable;
      const code = reason.params.message === '' ? `${reason.code}.silent` : reason.code;
      return { code, params: { ...params, bad, count: hosts } };
    }
    case 'hosts.host_key_changed': {
      const { host, hosts, unreachable } = reason.params;
      return { code: reason.code, params: { host, bad: unreachable, count: hosts } };
    }
    case 'ansible.signal':
      return reason.params.signal === 9 ? { ...reason, code: 'ansible.signal.killed' } : reason;
    case 'runner.lost':
    case 'runner.silent':
    case 'runner.removed':
      return named(reason, reason.params.runner);
    default:
      return reason;
  }
};

/** The detail of a reason: what a program printed, or a message of Signalbox. Empty if there is none. */
export const endReasonDetail = ({ params }: EndReason): string | Message => {
  if (!('detail' in params)) return '';
  if (!('detail_code' in params) || params.detail_code === undefined) return params.detail;
  return { code: `detail.${params.detail_code}`, params: { value: params.detail_value ?? '' } };
};

/** The same message with the detail, for texts that contain it. */
export const endReasonInFull = (reason: EndReason): Message => {
  const message = endReasonMessage(reason);
  const detail = endReasonDetail(reason);
  return detail === '' ? message : { code: 'with_detail', params: { reason: message, detail } };
};

/** Explains why a task ended, with the detail. Undefined for a code that the catalogues lack. */
export const endReasonText = (make: MakeText, reason: EndReason): string | undefined => make(endReasonInFull(reason));

/** Codes whose text for a choice is not their usual text with blanks. */
const LABELS: Readonly<Partial<Record<EndReasonCode, string>>> = {
  time_limit: 'time_limit.unknown',
  'git.refused': 'git.refused.unnamed',
  'key.damaged': 'key.damaged.unnamed',
  'key.passphrase_wrong': 'key.passphrase_wrong.unnamed',
  'playbook.invalid': 'playbook.invalid.line',
  'playbook.module_missing': 'playbook.module_missing.label',
  'virtual_environment.file_missing': 'virtual_environment.file_missing.label',
  'virtual_environment.not_installed': 'virtual_environment.not_installed.label',
  'virtual_environment.program_missing': 'virtual_environment.program_missing.label',
  'virtual_environment.requirement_refused': 'virtual_environment.requirement_refused.label',
  'virtual_environment.too_slow': 'virtual_environment.too_slow.label',
  'hosts.failed': 'hosts.failed.label',
  'hosts.unreachable': 'hosts.unreachable.label',
  'hosts.host_key_changed': 'hosts.host_key_changed.label',
  'runner.lost': 'runner.lost.unnamed',
  'runner.silent': 'runner.silent.unnamed',
  'runner.removed': 'runner.removed.unnamed',
};

type NamesOf<Params> = Params extends unknown ? keyof Params : never;
type Name = NamesOf<EndReason['params']>;

const BLANK = '…';

/** A blank for each parameter. */
const BLANKS: Readonly<Record<Name, string>> = {
  user: BLANK,
  seconds: BLANK,
  repository: BLANK,
  branch: BLANK,
  commit: BLANK,
  detail: BLANK,
  detail_code: BLANK,
  detail_value: BLANK,
  host: BLANK,
  protocol: BLANK,
  address: BLANK,
  path: BLANK,
  file: BLANK,
  module: BLANK,
  requirement: BLANK,
  key_id: BLANK,
  key_name: BLANK,
  program: BLANK,
  line: BLANK,
  column: BLANK,
  limit: BLANK,
  failed: BLANK,
  unreachable: BLANK,
  hosts: BLANK,
  step: BLANK,
  message: BLANK,
  exit_code: BLANK,
  signal: BLANK,
  runner: BLANK,
};

/** The message that names a code in a choice: its text with a blank for each parameter. */
export const endReasonLabel = (code: EndReasonCode): Message => ({ code: LABELS[code] ?? code, params: BLANKS });
