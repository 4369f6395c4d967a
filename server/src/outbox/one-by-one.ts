import type { Database } from '../database/database.ts';
import { type OutboxEntry, tasksWithEntry } from './outbox.store.ts';
import type { OutboxHandler, OutboxWork } from './outbox.ts';

export interface OneByOne {
  readonly database: Database;
  /** Entries per query. */
  readonly batch: number;
  /**
   * Does the work of an entry, which reads the results of its run.
   * @returns false when the signal ended the work early
   */
  readonly handleOne: (entry: OutboxEntry, signal: AbortSignal) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/** Attempts after which the log of an unreadable run may be removed. Counted again after a restart. */
const ATTEMPTS = 5;

/** Handles entries one after the other, so that an unreadable run does not block the others. */
export const oneByOne = ({ database, batch, handleOne, onError }: OneByOne): OutboxHandler => {
  /** Number of failed attempts by the id of the entry. */
  const attempts = new Map<number, number>();

  const finish = async ({ id }: OutboxEntry, done: OutboxWork['done']): Promise<void> => {
    await done([id]);
    attempts.delete(id);
  };

  /** Gives up an unreadable run if its log is to be removed. Otherwise the log would stay forever. */
  const failed = async (entry: OutboxEntry, done: OutboxWork['done']): Promise<void> => {
    const count = (attempts.get(entry.id) ?? 0) + 1;
    attempts.set(entry.id, count);
    if (count < ATTEMPTS) return;
    const removals = await tasksWithEntry(database.read, 'log_removal', [entry.task_id]);
    if (removals.size > 0) await finish(entry, done);
  };

  return {
    batch,
    handle: async (entries, { signal, done }) => {
      for (const entry of entries) {
        if (signal.aborted) return;
        try {
          if (await handleOne(entry, signal)) await finish(entry, done);
        } catch (error) {
          onError(error);
          await failed(entry, done).catch(onError);
        }
      }
    },
  };
};

/** Runs per query. */
const RUNS = 50;

/** Handles runs one after the other. The work on a run is never ended early. */
export const runByRun = (
  { database, onError }: Pick<OneByOne, 'database' | 'onError'>,
  handleRun: (entry: OutboxEntry) => Promise<void>,
): OutboxHandler =>
  oneByOne({
    ...{ database, onError, batch: RUNS },
    handleOne: async (entry) => {
      await handleRun(entry);
      return true;
    },
  });
