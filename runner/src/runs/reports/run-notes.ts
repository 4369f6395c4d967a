import type { Masker } from '../../output/masker.ts';

/** What the runner's own log is told of one run, with its secrets masked. */
export class RunNotes {
  readonly #taskId: number;
  readonly #masker: Masker;
  readonly #note: (sentence: string) => void;
  /** Why the folder cannot be looked at, as long as that is so. */
  #blind = '';

  constructor(taskId: number, masker: Masker, note: (sentence: string) => void) {
    this.#taskId = taskId;
    this.#masker = masker;
    this.#note = note;
  }

  write(sentence: string): void {
    this.#note(this.#masker.mask(sentence));
  }

  /** @param what of the run cannot be `done`, such as its secrets, which cannot be removed */
  failed(what: string, done: string, fault: unknown): void {
    this.write(`${what} of task ${this.#taskId} cannot be ${done}: ${String(fault)}`);
  }

  /** @param areEnded false when some processes could not be ended */
  left(areEnded: boolean): void {
    if (!areEnded) this.write(`Some processes of task ${this.#taskId} cannot be ended.`);
  }

  /** The folder cannot be looked at: said once, until it can be or the reason is another. */
  unreadable(fault: unknown): void {
    if (String(fault) !== this.#blind) this.failed('The folder', 'looked at', fault);
    this.#blind = String(fault);
  }

  readable(): void {
    this.#blind = '';
  }
}
