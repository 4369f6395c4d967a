/**
 * Why the log store did not do something: it does not answer (`away`), has no space for what is written (`full`), refuses
 * the credentials or has no permission (`refused`), does not have the object (`missing`), or the object is not what was
 * written (`changed`).
 */
export type LogStoreProblem = 'away' | 'full' | 'refused' | 'missing' | 'changed';

export class LogStoreError extends Error {
  override readonly name = 'LogStoreError';
  readonly logStoreProblem: LogStoreProblem;

  constructor(problem: LogStoreProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.logStoreProblem = problem;
  }
}

/** Returns the problem of an error of the log store, also of one that came from a worker; else undefined. */
export const logStoreProblem = (error: unknown): LogStoreProblem | undefined =>
  typeof error === 'object' && error !== null && 'logStoreProblem' in error
    ? (error.logStoreProblem as LogStoreProblem | undefined)
    : undefined;

export interface ListedObject {
  readonly name: string;
  /** When it was written, in milliseconds, by the clock of the store. */
  readonly modified: number;
}

/**
 * A store of objects with names such as `logs/34/34567-0123456789abcdef.1`. Every method rejects with a `LogStoreError`. All
 * implementations pass the same tests.
 */
export interface ObjectStore {
  /** Where it is, for messages. Contains no secret. */
  readonly address: string;
  /**
   * Writes a whole object, or none. Resolves after the stored bytes were compared with these.
   * @param signal ends the write, after which nothing of it remains
   */
  put(name: string, bytes: Buffer, signal?: AbortSignal): Promise<void>;
  /** Reads exactly this range. Rejects with `missing` if there is no object, and `changed` if it is too short. */
  read(name: string, offset: number, length: number): Promise<Buffer>;
  /** Removes an object. Does nothing if it does not exist. */
  remove(name: string): Promise<void>;
  /** Lists some objects below `logs/` after a name, in the order of their names; none at the end. */
  list(after: string): Promise<ListedObject[]>;
}
