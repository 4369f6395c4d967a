import type { Logs } from '../database/database.ts';
import type { Cell, Snapshot, SnapshotTable } from '../database/snapshot.ts';
import { fetchBlock, type LogObjects, objectOf } from '../logs/objects/block-source.ts';
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

/** A block of a log. */
interface BlockKey {
  readonly taskId: number;
  readonly stream: string;
  readonly first: number;
}

/** Where moved logs are, and the logs as they are now: a log can be moved back or again during a backup. */
export interface MovedLogSource {
  readonly objects: LogObjects;
  readonly now: Logs;
  /** Called with the task of each block whose object is missing. */
  readonly onMissing: (taskId: number) => void;
}

/** Reads a block from where it is now. Undefined if it is nowhere. */
const readNow = async (
  { objects, now }: MovedLogSource,
  { taskId, stream, first }: BlockKey,
): Promise<Uint8Array | undefined> => {
  const row = await now
    .selectFrom('log_block')
    .select(['kind', 'data'])
    .where('task_id', '=', taskId)
    .where('stream', '=', stream as 'output')
    .where('first', '=', first)
    .executeTakeFirst();
  if (row?.kind === 'packed') return row.data;
  const name = row?.kind === 'moved' ? await objectOf(now, taskId) : undefined;
  return row && name !== undefined ? await fetchBlock(objects, name, row.data) : undefined;
};

/** Reads a block from its object, or else from where it is now. Undefined if it is missing. */
const readMoved = async (
  source: MovedLogSource,
  name: string,
  position: Uint8Array,
  key: BlockKey,
): Promise<Uint8Array | undefined> => {
  const orMissing = async (read: Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> => {
    try {
      return await read;
    } catch (error) {
      if (logStoreProblem(error) !== 'missing') throw error;
      return undefined;
    }
  };
  return (await orMissing(fetchBlock(source.objects, name, position))) ?? (await orMissing(readNow(source, key)));
};

/** Rows of `log_block` as if no log had been moved. */
async function* blocksOf(
  snapshot: Snapshot,
  table: SnapshotTable,
  source: MovedLogSource,
): AsyncGenerator<readonly Cell[]> {
  const names = await namesOf(snapshot);
  const [task, stream, first, kind, data] = columnsOf(table, 'task_id', 'stream', 'first', 'kind', 'data');
  for await (const row of snapshot.rows(table)) {
    if (row[stream] === 'object') continue;
    const name = names.get(Number(row[task]));
    const position = row[data];
    if (row[kind] !== 'moved' || name === undefined || !(position instanceof Uint8Array)) {
      yield row;
      continue;
    }
    const key = { taskId: Number(row[task]), stream: String(row[stream]), first: Number(row[first]) };
    const bytes = await readMoved(source, name, position, key);
    if (bytes) yield replaced(replaced(row, kind, 'packed'), data, bytes);
    else source.onMissing(key.taskId);
  }
}

async function* tasksOf(snapshot: Snapshot, table: SnapshotTable): AsyncGenerator<readonly Cell[]> {
  const [moved] = columnsOf(table, 'log_moved');
  for await (const row of snapshot.rows(table)) yield replaced(row, moved, 0);
}

/** A snapshot in which all logs are in the database. Reads the moved ones from the log store, and leaves out missing blocks. */
export const withMovedLogs = (snapshot: Snapshot, source: MovedLogSource): Snapshot => ({
  ...snapshot,
  rows: (table): Rows => {
    if (NOT_NEEDED.has(table.name)) return [];
    if (table.name === 'log_block') return blocksOf(snapshot, table, source);
    return table.name === 'task' ? tasksOf(snapshot, table) : snapshot.rows(table);
  },
});
