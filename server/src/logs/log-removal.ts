import type { Database, StateTransaction } from '../database/database.ts';
import type { LogStore } from './log-store.ts';

/** Logs removed at once: a removal must not hold up what runs write meanwhile. */
const BATCH = 50;

/** Ids in one statement: databases take only so many values. */
const CHUNK = 500;

/**
 * Asks for logs to be removed, in the transaction that deletes their tasks or says that they are over. Logs live in
 * another store; what is asked for here happens with the next `sweepLogs`, also after a crash between the two.
 */
export const queueLogRemoval = async (tx: StateTransaction, taskIds: readonly number[]): Promise<void> => {
  for (let start = 0; start < taskIds.length; start += CHUNK) {
    await tx
      .insertInto('log_removal')
      .values(taskIds.slice(start, start + CHUNK).map((task_id) => ({ task_id })))
      .execute();
  }
};

/**
 * Asks for the logs of all tasks of a template or of a project to be removed; in the transaction that deletes it, before
 * the delete, which takes the tasks with it.
 */
export const queueLogsOf = async (
  tx: StateTransaction,
  owner: { readonly templateId: number } | { readonly projectId: number },
): Promise<void> => {
  const [column, id] =
    'templateId' in owner ? (['template_id', owner.templateId] as const) : (['project_id', owner.projectId] as const);
  await tx
    .insertInto('log_removal')
    .columns(['task_id'])
    .expression((eb) => eb.selectFrom('task').select('id').where(column, '=', id).where('log_removed', '=', 0))
    .execute();
};

/**
 * Removes every log that was asked for, oldest request first. A crash at any moment loses no request; two sweeps at once
 * harm nothing.
 * @returns how many requests were done
 */
export const sweepLogs = async (database: Database, logs: LogStore, signal?: AbortSignal): Promise<number> => {
  for (let done = 0; ; ) {
    const rows = await database.read
      .selectFrom('log_removal')
      .select(['id', 'task_id'])
      // The ledger of hosts reads it first.
      .where('task_id', 'not in', (eb) => eb.selectFrom('host_ledger_due').select('task_id'))
      .orderBy('id')
      .limit(BATCH)
      .execute();
    if (rows.length === 0 || signal?.aborted) return done;
    await logs.remove(rows.map((row) => row.task_id));
    // Only when the logs are gone. By the ids that were read: a log that is asked for again meanwhile is removed again.
    await database.autocommit
      .deleteFrom('log_removal')
      .where(
        'id',
        'in',
        rows.map((row) => row.id),
      )
      .execute();
    done += rows.length;
  }
};
