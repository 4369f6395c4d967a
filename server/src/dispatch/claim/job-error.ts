import type { EndReason } from '@signalbox/contract';

/** Why a task ends instead of being given to a runner. The message is the last line of its log. */
export class JobError extends Error {
  readonly endReason: EndReason;

  constructor(message: string, endReason: EndReason) {
    super(message);
    this.endReason = endReason;
  }
}

/** The reason for any error that reading a job can have. */
export const asJobError = (error: unknown): JobError =>
  error instanceof JobError
    ? error
    : new JobError('The task could not be prepared: a key or an object that it needs cannot be read.', {
        code: 'job.unreadable',
        params: {},
      });
