import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { EndReason } from '@signalbox/contract';
import type { JobSpec } from '@signalbox/contract/link';
import { withoutColours, withoutMarkers } from '../../output/plain-text.ts';
import type { ExitNote } from '../folder/run-folder.ts';

/** Bytes at the end of the output that are searched for Ansible's own error. */
const TAIL_BYTES = 64 * 1024;
/** Maximum number of lines of an error after its first line. */
const MOST_ROWS = 40;
/** Number of characters at the beginning of a line that are examined. */
const LONGEST_ROW = 2_000;

/** How Ansible begins an error: `ERROR!` until ansible-core 2.18, `[ERROR]:` since. */
const ERROR = /^(?:ERROR! |\[ERROR\]: |ansible-playbook: error: )(.+)/;
/** The error when a limit leaves no host. Only checked when Ansible ended with code 1 and reported no event. */
const NO_HOST = /--limit.{1,40}(?:match any hosts|no hosts)/;
const YAML = /^\s*Syntax Error while loading YAML\.\s*$/;
const PLACES: readonly RegExp[] = [
  /^The error appears to (?:be|have been) in '(.{1,1000})': line (\d{1,9}), column (\d{1,9})/,
  /^Origin: (.{1,1000}?):(\d{1,9})(?::(\d{1,9}))?$/,
];

const tailOf = (path: string, end: number): string => {
  const from = Math.max(0, end - TAIL_BYTES);
  const bytes = Buffer.alloc(end - from);
  const file = openSync(path, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
};

/** Replaces paths in the checkout by paths in the repository. */
const inCheckout = (text: string, checkout: string): string => {
  let top = checkout;
  try {
    top = realpathSync(checkout);
  } catch {
    // The checkout was removed, so its path can't be resolved and is used as it is.
  }
  return [top, checkout].reduce((left, folder) => left.replaceAll(`${folder}/`, '').replaceAll(folder, '.'), text);
};

/** Input for `endReasonOf`. */
export interface EndedRun {
  /** Path of the output. */
  readonly output: string;
  readonly checkout: string;
  /** Path of the events that Ansible reported. */
  readonly events: string;
  readonly order: Pick<JobSpec, 'limit' | 'arguments' | 'max_duration'>;
}

/** The limit that Ansible uses: the last one in the arguments, else that of the task. Empty without a limit. */
const limitOf = ({ limit, arguments: words }: EndedRun['order']): string => {
  const given = words.flatMap((word, at) => {
    if (word === '-l' || word === '--limit') return [words[at + 1] ?? ''];
    return word.startsWith('--limit=') ? [word.slice('--limit='.length)] : [];
  });
  return given.at(-1) ?? limit;
};

/** Kind of the last event that Ansible reported; undefined if it reported none. */
const lastEvent = (path: string): string | undefined => {
  try {
    return /"kind": "([a-z]+)"/.exec(tailOf(path, statSync(path).size).trimEnd().split('\n').at(-1) ?? '')?.[1];
  } catch {
    return undefined;
  }
};

/** Ansible's own error at the end of its output; undefined where it printed none. */
export const ansibleError = (output: string, checkout: string): EndReason | undefined => {
  const rows = output.split('\n').map((row) => withoutColours(withoutMarkers(row.slice(0, LONGEST_ROW))).trimEnd());
  const first = rows.findLastIndex((row) => ERROR.test(row));
  if (first === -1) return undefined;
  const own = rows.slice(first, first + MOST_ROWS);
  const yaml = own.findIndex((row) => YAML.test(row));
  const text = (yaml === -1 ? ERROR.exec(own[0] ?? '')?.[1] : own[yaml + 1]?.trim()) ?? '';
  const detail = inCheckout(text, checkout);
  for (const row of own) {
    for (const pattern of PLACES) {
      const [, file, line, column] = pattern.exec(row) ?? [];
      if (file === undefined) continue;
      return {
        code: 'playbook.invalid',
        params: {
          file: inCheckout(file, checkout),
          line: Number(line),
          column: column === undefined ? null : Number(column),
          detail,
        },
      };
    }
  }
  return { code: 'ansible.refused', params: { detail } };
};

/**
 * Why a run failed, as a code with parameters that may still contain secrets. Which hosts failed is left to the server, which
 * has the results.
 * @returns undefined for a run that succeeded or was stopped: the server knows who stopped it
 */
export const endReasonOf = (exit: ExitNote, run: EndedRun): EndReason | undefined => {
  switch (exit.reason) {
    case 'stopped':
      return undefined;
    case 'lost':
      return { code: 'supervisor.lost', params: {} };
    case 'disk':
      return { code: 'disk.full', params: {} };
    case 'time_limit':
      return { code: 'time_limit', params: { seconds: Math.round(run.order.max_duration) } };
    case 'not_started':
      return { code: 'program.not_started', params: { program: 'ansible-playbook', detail: exit.message ?? '' } };
    case 'repository':
    case 'preparation':
      return exit.end_reason ?? { code: 'preparation.failed', params: { detail: exit.message ?? '' } };
    case 'exited': {
      if (exit.code === 0) return undefined;
      if (exit.code === null) return { code: 'ansible.signal', params: { signal: exit.signal ?? 0 } };
      return errorAtEnd(exit, run) ?? { code: 'ansible.exit', params: { exit_code: exit.code } };
    }
  }
};

const errorAtEnd = (exit: ExitNote, { output, checkout, events, order }: EndedRun): EndReason | undefined => {
  const last = lastEvent(events);
  // Ansible finished the playbook, so a line that looks like an error of Ansible was printed by a step.
  if (last === 'stats') return undefined;
  try {
    const error = ansibleError(tailOf(output, exit.bytes), checkout);
    const limit = limitOf(order);
    const isLimit = exit.code === 1 && last === undefined && limit !== '' && error?.code === 'ansible.refused';
    return isLimit && NO_HOST.test(error.params.detail) ? { code: 'limit.no_match', params: { limit } } : error;
  } catch {
    // Without the output the exit code is the only source.
    return undefined;
  }
};
