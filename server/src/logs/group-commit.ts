import type { Logs } from '../database/database.ts';

type Work = (tx: Logs) => Promise<unknown>;
type Hold = (tx: Logs, taskIds: readonly number[]) => Promise<void>;
interface Waiting {
  readonly taskIds: readonly number[];
  readonly work: Work;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** Maximum number of writes per transaction, so that a commit stays short during a flood. */
const MAX_GROUP = 256;

/**
 * Groups waiting writes into one transaction, so that many small writes share one sync to disk. Each resolves after
 * the commit. If a group fails, each write is retried alone, so that one bad write does not affect the others.
 */
export class GroupCommit {
  readonly #db: Logs;
  readonly #hold: Hold;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  /** @param hold locks the logs of these tasks until the transaction ends */
  constructor(db: Logs, hold: Hold) {
    this.#db = db;
    this.#hold = hold;
  }

  /** Writes to the logs of these tasks only. Other servers wait. */
  write<T>(taskIds: readonly number[], work: (tx: Logs) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ taskIds, work, done: resolve as (value: unknown) => void, failed: reject });
    this.#running ??= this.#drain();
    return promise;
  }

  /** Resolves when no write is waiting. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Waiting for one turn of the event loop lets writes that arrive together be committed together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MAX_GROUP);
      try {
        await this.#commit(group);
      } catch (error) {
        if (group.length === 1) group[0]?.failed(error);
        else for (const one of group) await this.#commit([one]).catch(one.failed);
      }
    }
    // No `await` between the last check and this line: a later write must start a new drain.
    this.#running = undefined;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const results = await this.#db.transaction().execute(async (tx) => {
      await this.#hold(
        tx,
        group.flatMap(({ taskIds }) => taskIds),
      );
      const values: unknown[] = [];
      for (const { work } of group) values.push(await work(tx));
      return values;
    });
    for (const [index, { done }] of group.entries()) done(results[index]);
  }
}
