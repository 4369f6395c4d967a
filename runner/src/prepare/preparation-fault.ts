/** Why a run cannot be prepared: one sentence for the last line of its log, without any secret. */
export class PreparationFault extends Error {
  readonly reason: 'repository' | 'preparation';

  constructor(reason: 'repository' | 'preparation', sentence: string) {
    super(sentence);
    this.reason = reason;
  }
}
