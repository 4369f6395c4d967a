import type { Database } from '../database/database.ts';
import type { OutboxKind } from '../database/outbox.schema.ts';
import { makeSweeper, type WorkerLoop } from '../worker-loop.ts';
import { deleteEntries, type OutboxEntry, pendingEntries } from './outbox.store.ts';

export interface OutboxWork {
  /** Ends the work early; the remaining entries stay. */
  readonly signal: AbortSignal;
  /** Deletes entries whose work is done. */
  readonly done: (ids: readonly number[]) => Promise<void>;
}

export interface OutboxHandler {
  /** Maximum number of entries per call. */
  readonly batch: number;
  /**
   * Does the work of some entries, oldest first. May be called again for the same entry, also by another server at the
   * same time, so doing the work twice must have the same result as doing it once.
   */
  readonly handle: (entries: readonly OutboxEntry[], work: OutboxWork) => Promise<void>;
}

/** A kind without a handler does not compile. */
export type OutboxHandlers = Readonly<Record<OutboxKind, OutboxHandler>>;

/** The kinds in the order in which they are handled: results are read before their log is removed. */
const KINDS: readonly OutboxKind[] = ['approval_alert', 'host_history', 'failures', 'run_times', 'log_removal'];

export interface OutboxDeps {
  readonly database: Database;
  readonly handlers: OutboxHandlers;
  /** Called when the work of a kind fails. The next round tries again. */
  readonly onError: (kind: OutboxKind, error: unknown) => void;
}

const handleAll = async ({ database, handlers }: OutboxDeps, kind: OutboxKind, signal: AbortSignal): Promise<void> => {
  const { batch, handle } = handlers[kind];
  const done = (ids: readonly number[]): Promise<void> => deleteEntries(database, ids);
  for (let after = 0; !signal.aborted; ) {
    const entries = await pendingEntries(database.read, kind, { after, limit: batch });
    if (entries.length > 0) await handle(entries, { signal, done });
    if (entries.length < batch) return;
    after = entries.at(-1)?.id ?? after;
  }
};

/** Creates the loop that does the work of the outbox, with a handler for each kind of entry. */
export const makeOutbox = (deps: OutboxDeps): WorkerLoop =>
  makeSweeper(
    async (signal) => {
      for (const kind of KINDS)
        await handleAll(deps, kind, signal).catch((error: unknown) => deps.onError(kind, error));
    },
    // Errors are reported by kind, so the loop itself has none.
    () => undefined,
  );
