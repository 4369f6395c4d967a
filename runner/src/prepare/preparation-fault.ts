import { MAX_FAILURE_TEXT, type TaskFailure } from '@signalbox/contract';

export const FULL_DISK = 'The disk of the runner is full.';

/**
 * As much of what a program has said as a sentence has room for, in characters. It ends with a whole word: half a secret
 * could not be told any more, and would be shown.
 */
export const cutSaying = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(0, text.lastIndexOf(' ', most)))} …`;

type Reason = 'repository' | 'preparation' | 'disk';

const GENERIC: Readonly<Record<Reason, (sentence: string) => TaskFailure>> = {
  repository: (detail) => ({ code: 'git.refused', repository: '', detail }),
  preparation: (detail) => ({ code: 'preparation.failed', detail }),
  disk: () => ({ code: 'disk.full' }),
};

/** Why a run cannot be prepared: a message without secrets for the last line of its log, and the same as a failure code. */
export class PreparationFault extends Error {
  readonly reason: Reason;
  readonly failure: TaskFailure;

  constructor(
    reason: Reason,
    sentence: string,
    /** Uncut: its texts are masked before they are cut, because half a secret is not recognised. */
    failure: TaskFailure = GENERIC[reason](sentence),
  ) {
    super(sentence);
    this.reason = reason;
    this.failure = failure;
  }
}

/** Sets the `repository` of a failure, when its code has this parameter. */
export const inRepository = (failure: TaskFailure, repository: string): TaskFailure =>
  'repository' in failure ? { ...failure, repository } : failure;

/** Changes each text parameter of a failure and cuts it to `MAX_FAILURE_TEXT`. */
export const withTexts = (failure: TaskFailure, change: (text: string) => string): TaskFailure =>
  Object.fromEntries(
    Object.entries(failure).map(([name, value]) => [
      name,
      typeof value === 'string' && name !== 'code' && name !== 'kind'
        ? cutSaying(change(value), MAX_FAILURE_TEXT - 2)
        : value,
    ]),
  ) as TaskFailure;
