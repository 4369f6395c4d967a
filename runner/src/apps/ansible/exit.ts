import { realpathSync, statSync } from 'node:fs';
import type { EndReason } from '@signalbox/contract';
import { readTail } from '../../files/read-tail.ts';
import { withoutColours, withoutMarkers } from '../../output/plain-text.ts';
import type { EndedRun, ProgramExit } from '../app.ts';
import type { AnsibleJob } from './ansible-job.ts';
import { NOT_LOCKED, unlockedHost } from './locked-hosts.ts';

/** The meaning of the exit codes of ansible-playbook. */
const CODES: Readonly<Record<number, string>> = {
  1: 'an error',
  2: 'one or more hosts failed',
  3: 'one or more hosts failed',
  // Ansible has one code for both.
  4: 'hosts were unreachable, or the playbook is not valid',
  5: 'wrong options',
  6: 'failed and unreachable hosts',
  [NOT_LOCKED]: 'a play targets hosts that the task has not locked',
  99: 'interrupted',
  250: 'an unexpected error',
};

/** The last line of the log of a failed playbook. */
export const exitLine = ({ code, signal }: ProgramExit): string => {
  if (code === null) return `ansible-playbook was ended by signal ${signal ?? 0}.`;
  const meaning = CODES[code];
  return `ansible-playbook ended with exit code ${code}${meaning ? ` (${meaning})` : ''}.`;
};

/** Bytes at the end of the output that are searched for Ansible's own error. */
const TAIL_BYTES = 64 * 1024;
/** Maximum number of lines of an error after its first line. */
const MAX_ROWS = 40;
/** Number of characters at the beginning of a line that are examined. */
const MAX_ROW_LENGTH = 2_000;

/** How Ansible begins an error: `ERROR!` until ansible-core 2.18, `[ERROR]:` since. */
const ERROR = /^(?:ERROR! |\[ERROR\]: |ansible-playbook: error: )(.+)/;
/** The error when a limit leaves no host. Only checked when Ansible ended with code 1 and reported no event. */
const NO_HOST = /--limit.{1,40}(?:match any hosts|no hosts)/;
const YAML = /^\s*Syntax Error while loading YAML\.\s*$/;
/** The error for a module that is not found, which Ansible may break into two lines. Checked in an error with a position. */
const NO_MODULE = /^couldn't resolve module\/action\s+'([^']{1,500})'/;
const POSITIONS: readonly RegExp[] = [
  /^The error appears to (?:be|have been) in '(.{1,1000})': line (\d{1,9}), column (\d{1,9})/,
  /^Origin: (.{1,1000}?):(\d{1,9})(?::(\d{1,9}))?$/,
];

/** Replaces paths in the checkout by paths in the repository. */
const inCheckout = (text: string, checkout: string): string => {
  let top = checkout;
  try {
    top = realpathSync(checkout);
  } catch {
    // The checkout was removed, so its path can't be resolved and is used unchanged.
  }
  return [top, checkout].reduce((left, folder) => left.replaceAll(`${folder}/`, '').replaceAll(folder, '.'), text);
};

/** The limit that Ansible uses: the last one in the arguments, otherwise the limit of the task. Empty without a limit. */
const limitOf = ({ limit, arguments: args }: Pick<AnsibleJob, 'limit' | 'arguments'>): string => {
  const given = args.flatMap((arg, at) => {
    if (arg === '-l' || arg === '--limit') return [args[at + 1] ?? ''];
    return arg.startsWith('--limit=') ? [arg.slice('--limit='.length)] : [];
  });
  return given.at(-1) ?? limit;
};

/** Kind of the last event that Ansible reported; undefined if it reported none. */
const lastEvent = (path: string): string | undefined => {
  try {
    return /"kind": "([a-z]+)"/.exec(
      readTail(path, statSync(path).size, TAIL_BYTES).trimEnd().split('\n').at(-1) ?? '',
    )?.[1];
  } catch {
    return undefined;
  }
};

/** Ansible's own error at the end of its output; undefined if Ansible printed none. */
export const ansibleError = (output: string, checkout: string): EndReason | undefined => {
  const rows = output.split('\n').map((row) => withoutColours(withoutMarkers(row.slice(0, MAX_ROW_LENGTH))).trimEnd());
  const first = rows.findLastIndex((row) => ERROR.test(row));
  if (first === -1) return undefined;
  const own = rows.slice(first, first + MAX_ROWS);
  const yaml = own.findIndex((row) => YAML.test(row));
  const text = (yaml === -1 ? ERROR.exec(own[0] ?? '')?.[1] : own[yaml + 1]?.trim()) ?? '';
  const detail = inCheckout(text, checkout);
  const module = NO_MODULE.exec(`${text} ${own[1] ?? ''}`)?.[1];
  for (const row of own) {
    for (const pattern of POSITIONS) {
      const [, file, line, column] = pattern.exec(row) ?? [];
      if (file === undefined) continue;
      const position = { file: inCheckout(file, checkout), line: Number(line) };
      if (module !== undefined) return { code: 'playbook.module_missing', params: { module, ...position } };
      return {
        code: 'playbook.invalid',
        params: {
          ...position,
          column: column === undefined ? null : Number(column),
          detail,
        },
      };
    }
  }
  return { code: 'ansible.refused', params: { detail } };
};

/** A run of a playbook, with what is known of its failure. */
export type AnsibleRun = Omit<EndedRun, 'job'> & {
  readonly job: Pick<AnsibleJob, 'limit' | 'arguments' | 'locked_hosts'>;
};

/** The error that Ansible printed at the end; undefined if it printed none, or if the output cannot be read. */
const errorAtEnd = (exit: ProgramExit, { output, checkout, events, job }: AnsibleRun): EndReason | undefined => {
  const last = lastEvent(events);
  // Ansible finished the playbook, so a line in the format of an Ansible error was printed by a step.
  if (last === 'stats') return undefined;
  try {
    const error = ansibleError(readTail(output, exit.bytes, TAIL_BYTES), checkout);
    const limit = limitOf(job);
    const isLimit = exit.code === 1 && last === undefined && limit !== '' && error?.code === 'ansible.refused';
    return isLimit && NO_HOST.test(error.params.detail) ? { code: 'limit.no_match', params: { limit } } : error;
  } catch {
    // Without the output the exit code is the only source.
    return undefined;
  }
};

/**
 * Why a playbook failed. The server finds the failed hosts in the results.
 * @returns a reason whose texts may contain secrets
 */
export const exitReason = (exit: ProgramExit, run: AnsibleRun): EndReason => {
  if (exit.code === null) return { code: 'ansible.signal', params: { signal: exit.signal ?? 0 } };
  if (exit.code === NOT_LOCKED && run.job.locked_hosts !== null) return unlockedHost(run.events);
  return errorAtEnd(exit, run) ?? { code: 'ansible.exit', params: { exit_code: exit.code } };
};
