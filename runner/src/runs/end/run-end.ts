import type { EndKind, RunnerMessage } from '@signalbox/contract/link';
import type { App } from '../../apps/app.ts';
import { secondsText } from '../../workspace/phase-clock.ts';
import type { ExitRecord } from '../folder/run-folder.ts';

type Result = Extract<RunnerMessage, { type: 'ended' }>['result'];

/** The app-specific parts of the last lines. */
type EndTexts = Pick<App, 'program' | 'runTitle' | 'exitLine'>;

export interface RunEnd {
  result: Result;
  /** Required by older servers. */
  kind: EndKind;
  /** Last line of the log; undefined after a success, because the program's own last line is enough. */
  line: string | undefined;
}

/** The runner's last lines of a log. The same lines each time, because they may be written again. */
export const lastLines = (exit: ExitRecord, app: EndTexts, hints: readonly string[] = []): string[] => [
  ...(exit.seconds === undefined ? [] : [`${app.runTitle} for ${secondsText(exit.seconds)}.`]),
  ...hints,
  ...[runEndOf(exit, app).line ?? []].flat(),
];

export const LOST_LINE =
  'The log was cut here: the supervisor of this run ended without a record, so how the run ended is not known.';

/** Names the processes of a stopped run that could not be ended. */
const remainingLine = ({ left = [] }: ExitRecord): string =>
  left.length === 0
    ? ''
    : ` Processes that it has started as another user could not be ended by this runner and may continue: ${left.join(', ')}.`;

const CUT_BY_DISK = 'The log was cut here: the disk of the runner was full. ';

/** The result of a run for the server, and for the log. Pure, because it is computed again after a restart. */
export const runEndOf = (exit: ExitRecord, app: EndTexts): RunEnd => {
  const failed = (kind: EndKind, line: string): RunEnd => ({ result: 'error', kind, line });
  switch (exit.reason) {
    case 'stopped':
      return {
        result: 'stopped',
        kind: 'stopped',
        line: `${exit.cut ? CUT_BY_DISK : ''}The task was stopped.${remainingLine(exit)}`,
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
        `${exit.cut ? CUT_BY_DISK : ''}The time limit of the template was reached: the task was ended.${remainingLine(exit)}`,
      );
    case 'not_started':
      return failed(
        'preparation',
        `${app.program} could not be started: ${exit.message ?? 'the reason is not known'}.`,
      );
    case 'exited':
      return exit.code === 0
        ? { result: 'success', kind: 'finished', line: undefined }
        : failed('exit_code', app.exitLine(exit));
  }
};
