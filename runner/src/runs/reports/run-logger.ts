import type { Masker } from '../../output/masker.ts';

/** Messages about one run for the log of the runner, with the secrets of the run masked. */
export class RunLogger {
  readonly #taskId: number;
  readonly #masker: Masker;
  readonly #log: (text: string) => void;
  /** Why the folder cannot be read; empty while it can. */
  #unreadable = '';

  constructor(taskId: number, masker: Masker, log: (text: string) => void) {
    this.#taskId = taskId;
    this.#masker = masker;
    this.#log = log;
  }

  write(text: string): void {
    this.#log(this.#masker.mask(text));
  }

  /** Logs that something could not be done. @param what such as "Secrets" @param done such as "removed" */
  failed(what: string, done: string, error: unknown): void {
    this.write(`${what} of task ${this.#taskId} cannot be ${done}: ${String(error)}`);
  }

  /** @param areEnded false when some processes could not be ended */
  processesLeft(areEnded: boolean): void {
    if (!areEnded) this.write(`Some processes of task ${this.#taskId} cannot be ended.`);
  }

  /** Logs that the folder cannot be read: once, until it can be read or the reason changes. */
  unreadable(error: unknown): void {
    if (String(error) !== this.#unreadable) this.failed('The folder', 'read', error);
    this.#unreadable = String(error);
  }

  readable(): void {
    this.#unreadable = '';
  }
}
