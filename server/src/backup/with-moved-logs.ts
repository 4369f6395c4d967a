import type { Cell, Snapshot, SnapshotTable } from '../database/snapshot.ts';
import { fetchBlock, type LogObjects } from '../logs/objects/block-source.ts';
import { logStoreProblem } from '../logs/objects/object-store.ts';

/** Tables of the log store, which a backup with all logs does not need. */
const NOT_NEEDED: ReadonlySet<string> = new Set(['log_object', 'log_store']);

type Rows = ReturnType<Snapshot['rows']>;

const columnsOf = <const Names extends readonly string[]>({ columns }: SnapshotTable, ...names: Names) =>
  names.map((name) => columns.indexOf(name)) as { [Index in keyof Names]: number };

/** A row with another value in one column. */
const replaced = (row: readonly Cell[], column: number, cell: Cell): readonly Cell[] =>
  row.map((old, index) => (index === column ? cell : old));

/** The names of the objects of moved logs, by task. */
const namesOf = async (snapshot: Snapshot): Promise<ReadonlyMap<number, string>> => {
  const names = new Map<number, string>();
  const table = snapshot.tables.find(({ name }) => name === 'log_block');
  if (!table) return names;
  const [task, stream, kind, data] = columnsOf(table, 'task_id', 'stream', 'kind', 'data');
  for await (const row of snapshot.rows(table)) {
    const bytes = row[data];
    if (row[stream] === 'object' && row[kind] === 'written' && bytes instanceof Uint8Array)
      names.set(Number(row[task]), Buffer.from(bytes).toString());
  }
  return names;
};

/** Rows of `log_block` as if no log had been moved. */
async function* blocksOf(
  snapshot: Snapshot,
  table: SnapshotTable,
  objects: LogObjects,
  onMissing: (taskId: number) => void,
): AsyncGenerator<readonly Cell[]> {
  const names = await namesOf(snapshot);
  const [task, stream, kind, data] = columnsOf(table, 'task_id', 'stream', 'kind', 'data');
  for await (const row of snapshot.rows(table)) {
    if (row[stream] === 'object') continue;
    const name = names.get(Number(row[task]));
    const position = row[data];
    if (row[kind] !== 'moved' || name === undefined || !(position instanceof Uint8Array)) {
      yield row;
      continue;
    }
    try {
      yield replaced(replaced(row, kind, 'packed'), data, await fetchBlock(objects, name, position));
    } catch (error) {
      if (logStoreProblem(error) !== 'missing') throw error;
      onMissing(Number(row[task]));
    }
  }
}

async function* tasksOf(snapshot: Snapshot, table: SnapshotTable): AsyncGenerator<readonly Cell[]> {
  const [moved] = columnsOf(table, 'log_moved');
  for await (const row of snapshot.rows(table)) yield replaced(row, moved, 0);
}

/**
 * A snapshot in which all logs are in the database. Reads the moved ones from the log store.
 * @param onMissing called with the task of each block whose object is missing, which is left out
 */
export const withMovedLogs = (
  snapshot: Snapshot,
  objects: LogObjects,
  onMissing: (taskId: number) => void,
): Snapshot => ({
  ...snapshot,
  rows: (table): Rows => {
    if (NOT_NEEDED.has(table.name)) return [];
    if (table.name === 'log_block') return blocksOf(snapshot, table, objects, onMissing);
    return table.name === 'task' ? tasksOf(snapshot, table) : snapshot.rows(table);
  },
});
