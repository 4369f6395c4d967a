import type { EndKind, RunnerMessage } from '@signalbox/contract/link';
import { secondsText } from '../../workspace/phase-clock.ts';
import type { ExitNote } from '../folder/run-folder.ts';

type Result = Extract<RunnerMessage, { type: 'ended' }>['result'];

export interface RunEnd {
  result: Result;
  /** What older servers require. */
  kind: EndKind;
  /** Last line of the log; undefined when Ansible's own last line says all. */
  line: string | undefined;
}

/** The runner's own last lines of a log. A pure function as well: what was written once may be written again. */
export const lastLines = (exit: ExitNote, hints: readonly string[] = []): string[] => [
  ...(exit.seconds === undefined ? [] : [`Playbook run for ${secondsText(exit.seconds)}.`]),
  ...hints,
  ...[runEndOf(exit).line ?? []].flat(),
];

/** What ansible-playbook means with an exit code. */
const CODES: Record<number, string> = {
  1: 'an error',
  2: 'one or more hosts failed',
  3: 'one or more hosts failed',
  // Ansible says both with the same code.
  4: 'hosts were unreachable, or the playbook is not valid',
  5: 'wrong options',
  6: 'failed and unreachable hosts',
  99: 'interrupted',
  250: 'an unexpected error',
};

export const LOST_LINE =
  'The log was cut here: what kept this run has ended without a word, so how the playbook ended is not known.';

/** Said of a run that was to be ended, where not all of it could be. */
const leftLine = ({ left = [] }: ExitNote): string =>
  left.length === 0
    ? ''
    : ` Processes that it has started as another user could not be ended by this runner and may go on: ${left.join(', ')}.`;

const CUT_BY_DISK = 'The log was cut here: the disk of the runner was full. ';

/** What a run's exit note means, in the words of the link and of the log. A pure function: it may be asked again. */
export const runEndOf = (exit: ExitNote): RunEnd => {
  const failed = (kind: EndKind, line: string): RunEnd => ({ result: 'error', kind, line });
  switch (exit.reason) {
    case 'stopped':
      return {
        result: 'stopped',
        kind: 'stopped',
        line: `${exit.cut ? CUT_BY_DISK : ''}The task was stopped.${leftLine(exit)}`,
      };
    case 'lost':
      return failed('lost', LOST_LINE);
    case 'repository':
    case 'preparation':
    case 'disk':
      return failed(exit.reason, exit.message ?? 'The run could not be prepared.');
    case 'time_limit':
      return failed(
        'time_limit',
        `${exit.cut ? CUT_BY_DISK : ''}The time limit of the template was reached: the task was ended.${leftLine(exit)}`,
      );
    case 'not_started':
      return failed(
        'preparation',
        `ansible-playbook could not be started: ${exit.message ?? 'the reason is not known'}.`,
      );
    case 'exited': {
      if (exit.code === 0) return { result: 'success', kind: 'finished', line: undefined };
      if (exit.code === null) return failed('exit_code', `ansible-playbook was ended by signal ${exit.signal ?? 0}.`);
      const meaning = CODES[exit.code];
      return failed(
        'exit_code',
        `ansible-playbook ended with exit code ${exit.code}${meaning ? ` (${meaning})` : ''}.`,
      );
    }
  }
};
