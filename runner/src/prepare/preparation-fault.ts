export const FULL_DISK = 'The disk of the runner is full.';

/** Why a run cannot be prepared: one sentence for the last line of its log, without any secret. */
export class PreparationFault extends Error {
  readonly reason: 'repository' | 'preparation' | 'disk';

  constructor(reason: 'repository' | 'preparation' | 'disk', sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}
