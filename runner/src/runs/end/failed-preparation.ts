import { DISK_FULL, PreparationError } from '../../errors/preparation-error.ts';
import type { ExitNote } from '../folder/run-folder.ts';

type UnpreparedEnd = Pick<ExitNote, 'reason' | 'message' | 'end_reason'>;

/** What a failed preparation means, in the words of the log; what nobody expected is noted whole for who runs the runner. */
export const preparationFailure = (fault: unknown, note: (text: string) => void): UnpreparedEnd => {
  if (fault instanceof PreparationError)
    return { reason: fault.kind, message: fault.message, end_reason: fault.endReason };
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return { reason: 'disk', message: DISK_FULL };
  note(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault));
  return { reason: 'preparation', message: `The run could not be prepared${code === '' ? '' : ` (${code})`}.` };
};

/** What it means that a run's keeper is gone without a word. */
export const supervisorFailure = (run: {
  hasBegun: boolean;
  isStopped: boolean;
  isDiskFull: boolean;
}): UnpreparedEnd => {
  if (run.hasBegun) return { reason: 'lost' };
  if (run.isStopped) return { reason: 'stopped' };
  if (run.isDiskFull) return { reason: 'disk', message: DISK_FULL };
  return {
    reason: 'preparation',
    message: 'The keeper of the run could not be started: is python3 installed on the runner?',
    end_reason: { code: 'supervisor.not_started', params: {} },
  };
};
