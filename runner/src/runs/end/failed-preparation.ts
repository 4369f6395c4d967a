import { DISK_FULL, PreparationError } from '../../errors/preparation-error.ts';
import type { ExitRecord } from '../folder/run-folder.ts';

type UnpreparedEnd = Pick<ExitRecord, 'reason' | 'message' | 'end_reason'>;

/** The end of a run whose preparation failed. An unexpected error goes to the log of the runner with its stack. */
export const preparationFailure = (error: unknown, log: (text: string) => void): UnpreparedEnd => {
  if (error instanceof PreparationError)
    return { reason: error.kind, message: error.message, end_reason: error.endReason };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return { reason: 'disk', message: DISK_FULL };
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const message = `The run could not be prepared${code === '' ? '' : ` (${code})`}.`;
  return { reason: 'preparation', message, end_reason: { code: 'preparation.failed', params: { detail: code } } };
};

/** The end of a run whose supervisor ended without an exit record. */
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
    message: 'The supervisor of the run could not be started: is python3 installed on the runner?',
    end_reason: { code: 'supervisor.not_started', params: {} },
  };
};
