/** What a column of ours may hold, in both databases. */
export type Cell = string | number | null | Uint8Array;

export type Part = 'state' | 'logs';

export interface SnapshotTable {
  readonly name: string;
  readonly part: Part;
  readonly columns: readonly string[];
  /** How many rows there are. */
  readonly rows: number;
}

/** Everything that is stored, state and logs, as it was at one moment; who writes meanwhile is not held up. */
export interface Snapshot {
  readonly tables: readonly SnapshotTable[];
  /** Names of the migrations that had happened. */
  readonly steps: Readonly<Record<Part, readonly string[]>>;
  /** The next id of each table that has ids: one that no row ever had, also none that is deleted. */
  readonly nextIds: Readonly<Record<string, number>>;
  rows(table: SnapshotTable): AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
}

/** Takes in what a snapshot held, into a place that has nothing; all of it is there once it returned, or nothing. */
export interface SnapshotWriter {
  begin(table: SnapshotTable): Promise<void>;
  add(row: readonly Cell[]): Promise<void> | void;
}

/** Where it is written down which steps have happened, and by which table it is locked meanwhile. */
export const MIGRATION_TABLE: Readonly<Record<Part, string>> = { state: 'migration', logs: 'log_migration' };

const OWN_TO_A_DATABASE = /^(log_)?migration(_lock)?$|^newest_gone$|^sqlite_/;
const LOG_TABLES = new Set(['log_head', 'log_block']);

/** Whether a table is data, not how one database keeps its own books. */
export const isData = (table: string): boolean => !OWN_TO_A_DATABASE.test(table);

/** Which part a table belongs to, where both live in one database. */
export const partOf = (table: string): Part => (LOG_TABLES.has(table) ? 'logs' : 'state');
