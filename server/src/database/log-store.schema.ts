import type { ColumnType } from 'kysely';
import type { Fixed, Flag, Id } from './column-types.ts';

/** The store to which logs of ended tasks are moved: at most one row, with the id 1. */
export interface LogStoreTable {
  id: Id;
  /** Identifies this installation in the store, in which a marker object contains it. */
  installation: Fixed<string>;
  /** The secret from which the keys of all objects are derived, encrypted. */
  secret: string;
  /** Whether the marker was written, so a store without it is another one. */
  marked: Flag;
  /** The address of the store, for messages. */
  address: string;
  /** Since when moves fail, and why; null while they succeed. */
  failing_since: string | null;
  failure: string | null;
  /** Number of objects without a row that were found and removed. */
  orphans: ColumnType<number | string, number | undefined, number>;
  /** The last object that the search for them has read; empty at its begin. */
  orphans_after: ColumnType<string, string | undefined>;
  /** When the search continues; null at once. */
  orphans_due: ColumnType<string | null, string | null | undefined>;
}

/** An object in the log store. The row is stored before the object, so that no object is forgotten after a crash. */
export interface LogObjectTable {
  name: Fixed<string>;
  /** No foreign key: the task may be deleted before the object. */
  task_id: Fixed<number>;
  /** The object may be incomplete while it is `writing`, the log refers to it when it is `stored`. */
  stage: ColumnType<'writing' | 'stored' | 'removing'>;
  /** Number of parts, each of which is an object of its own. */
  parts: Fixed<number>;
  /** Compressed size of the log. */
  bytes: Fixed<number>;
  created: Fixed<string>;
}
