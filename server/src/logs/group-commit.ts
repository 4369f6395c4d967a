import type { Logs } from '../database/database.ts';

type Work = (tx: Logs) => Promise<unknown>;
type Hold = (tx: Logs, taskIds: readonly number[]) => Promise<void>;
interface Waiting {
  readonly taskIds: readonly number[];
  readonly work: Work;
  readonly done: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** Most writes in one transaction: a commit must not grow without end while a flood goes on. */
const MAX_GROUP = 256;

/**
 * Puts the writes that wait into one transaction, so that many small ones share one sync to disk. Each is answered only
 * after the commit; when a group fails, each of its writes is tried alone, so that one bad write harms no other.
 */
export class GroupCommit {
  readonly #db: Logs;
  readonly #hold: Hold;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  /** @param hold makes others wait that want to write to the logs of these tasks, until the transaction ends */
  constructor(db: Logs, hold: Hold) {
    this.#db = db;
    this.#hold = hold;
  }

  /** Does some work on the logs of these tasks, and of no others, while no other server writes to them. */
  write<T>(taskIds: readonly number[], work: (tx: Logs) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ taskIds, work, done: resolve as (value: unknown) => void, failed: reject });
    this.#running ??= this.#drain();
    return promise;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    // One turn of the loop lets what arrives together be committed together.
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
    // In the same turn as the last look: a write that comes after it must start a drain of its own.
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
