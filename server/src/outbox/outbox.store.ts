import type { Selectable } from 'kysely';
import type { Database, StateReader, StateTransaction } from '../database/database.ts';
import type { OutboxKind, OutboxTable } from '../database/outbox.schema.ts';

export type OutboxEntry = Selectable<OutboxTable>;

/** Rows per statement, because databases limit the number of values. */
const CHUNK = 500;

/** Stores work for after the transaction. The entries are deleted with the project, if they name one. */
export const enqueue = async (
  tx: StateTransaction,
  kind: OutboxKind,
  entries: readonly Pick<OutboxEntry, 'task_id' | 'project_id' | 'created'>[],
): Promise<void> => {
  for (let start = 0; start < entries.length; start += CHUNK) {
    await tx
      .insertInto('outbox')
      .values(entries.slice(start, start + CHUNK).map((entry) => ({ ...entry, kind })))
      .execute();
  }
};

/** Lists entries of a kind, oldest first. */
export const pendingEntries = (
  db: StateReader,
  kind: OutboxKind,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<OutboxEntry[]> =>
  db
    .selectFrom('outbox')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Returns which of these tasks have an entry of a kind. */
export const tasksWithEntry = async (
  db: StateReader,
  kind: OutboxKind,
  taskIds: readonly number[],
): Promise<ReadonlySet<number>> => {
  if (taskIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('outbox')
    .select('task_id')
    .where('kind', '=', kind)
    .where('task_id', 'in', taskIds)
    .execute();
  return new Set(rows.map(({ task_id }) => task_id));
};

/** Deletes entries whose work is done, by id: work that was queued again meanwhile is done again. */
export const deleteEntries = async ({ autocommit }: Database, ids: readonly number[]): Promise<void> => {
  if (ids.length > 0) await autocommit.deleteFrom('outbox').where('id', 'in', ids).execute();
};
