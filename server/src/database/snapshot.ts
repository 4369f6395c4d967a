/** A value of a column, in either database. */
export type Cell = string | number | null | Uint8Array;

export type Part = 'state' | 'logs';

export interface SnapshotTable {
  readonly name: string;
  readonly part: Part;
  readonly columns: readonly string[];
  /** Number of rows. */
  readonly rows: number;
}

/** A consistent copy of state and logs. Writers are not blocked. */
export interface Snapshot {
  readonly tables: readonly SnapshotTable[];
  /** Names of the completed migrations. */
  readonly steps: Readonly<Record<Part, readonly string[]>>;
  /** The next id of each table: higher than that of any row that ever existed. */
  readonly nextIds: Readonly<Record<string, number>>;
  rows(table: SnapshotTable): AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
}

/** Writes a snapshot into an empty database. Either all of it is stored, or nothing. */
export interface SnapshotWriter {
  begin(table: SnapshotTable): Promise<void>;
  add(row: readonly Cell[]): Promise<void> | void;
}

/** Tables that list the completed migrations, and their lock tables. */
export const MIGRATION_TABLE: Readonly<Record<Part, string>> = { state: 'migration', logs: 'log_migration' };

const OWN_TO_A_DATABASE = /^(log_)?migration(_lock|_requirement)?$|^newest_gone$|^sqlite_/;
const LOG_TABLES = new Set(['log_head', 'log_block']);

/** Whether a table contains data, and not the bookkeeping of one database. */
export const isData = (table: string): boolean => !OWN_TO_A_DATABASE.test(table);

/** Returns the part of a table, for a database that contains both. */
export const partOf = (table: string): Part => (LOG_TABLES.has(table) ? 'logs' : 'state');
