export const FULL_DISK = 'The disk of the runner is full.';

/**
 * As much of what a program has said as a sentence has room for, in characters. It ends with a whole word: half a secret
 * could not be told any more, and would be shown.
 */
export const cutSaying = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(0, text.lastIndexOf(' ', most)))} …`;

/** Why a run cannot be prepared: one sentence for the last line of its log, without any secret. */
export class PreparationFault extends Error {
  readonly reason: 'repository' | 'preparation' | 'disk';

  constructor(reason: 'repository' | 'preparation' | 'disk', sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}
