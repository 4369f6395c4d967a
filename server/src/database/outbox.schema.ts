import type { ColumnType, Generated } from 'kysely';

/**
 * Work that must be done after a transaction, stored in that transaction. The row is deleted when the work is done, so a
 * crash loses none.
 */
export interface OutboxTable {
  id: Generated<number>;
  kind: ColumnType<OutboxKind, OutboxKind, never>;
  /** The project whose deletion makes the work superfluous; null for work that must be done anyway. */
  project_id: ColumnType<number | null, number | null, never>;
  /** No foreign key: the task may be deleted before the work is done. */
  task_id: ColumnType<number, number, never>;
  created: ColumnType<string, string, never>;
}

/**
 * `host_history` adds the results of an ended run to the history of its hosts, `failures` stores its failures,
 * `run_times` how long its steps took. `log_removal` deletes the log of a task, after its results were read. `approval_alert` sends alerts about a task that waits for an approval.
 */
export type OutboxKind = 'approval_alert' | 'host_history' | 'failures' | 'run_times' | 'log_removal';
