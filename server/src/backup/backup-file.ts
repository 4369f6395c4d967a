import { once } from 'node:events';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import type { Cell, Snapshot, SnapshotTable } from '../database/snapshot.ts';
import { PassphraseBox } from '../secrets/passphrase-box.ts';
import { StartError } from '../start-error.ts';

const Table = z.object({
  name: z.string().regex(/^[a-z_]+$/),
  part: z.enum(['state', 'logs']),
  columns: z.array(z.string().regex(/^[a-z_]+$/)),
  rows: z.int(),
});

/** The first line of a backup. After it comes, for each table, its name and its rows; then how many rows there were. */
const Header = z.object({
  signalbox_backup: z.literal(1),
  version: z.string(),
  made: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  steps: z.object({ state: z.array(z.string()), logs: z.array(z.string()) }),
  next_ids: z.record(z.string().regex(/^[a-z_]+$/), z.int()),
  tables: z.array(Table),
  /** The keys that seal, where they were asked for. */
  key: PassphraseBox.nullable(),
});
export type BackupHeader = z.infer<typeof Header>;

/** What the keys in a backup are sealed for: a box of another kind does not open as one. */
export const KEY_PURPOSE = 'signalbox backup key';

const Bytes = z.object({ b64: z.string() });
const Row = z.array(z.union([z.string(), z.number(), z.null(), Bytes]));
const TableLine = z.object({ table: z.string() });
const EndLine = z.object({ end: z.int() });

const asJson = (cell: Cell): unknown =>
  cell instanceof Uint8Array ? { b64: Buffer.from(cell).toString('base64') } : cell;
const asCell = (value: z.infer<typeof Row>[number]): Cell =>
  typeof value === 'object' && value !== null ? Buffer.from(value.b64, 'base64') : value;

const syncPath = (path: string): void => {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

export interface BackupOptions {
  readonly header: Omit<BackupHeader, 'signalbox_backup' | 'tables' | 'steps' | 'next_ids'>;
  readonly mayReplace: boolean;
  readonly onRow: () => void;
}

/**
 * Writes a snapshot to a file that only this user may read. Under its name the file is whole or not there.
 * @throws StartError when there is a file of that name
 */
export const writeBackup = async (
  file: string,
  snapshot: Snapshot,
  { header, mayReplace, onRow }: BackupOptions,
): Promise<void> => {
  const part = `${file}.part-${process.pid}`;
  const output = createWriteStream(part, { flags: 'wx', mode: 0o600 });
  await once(output, 'open').catch((error: Error) => {
    throw new StartError(`${file} cannot be written (${error.message}).`);
  });
  const gzip = createGzip();
  gzip.pipe(output);
  output.on('error', (error) => gzip.destroy(error));
  const written = finished(output);
  // Told when it is waited for.
  written.catch(() => undefined);
  const line = async (value: unknown): Promise<void> => {
    if (!gzip.write(`${JSON.stringify(value)}\n`)) await once(gzip, 'drain');
  };
  try {
    const { tables, steps, nextIds } = snapshot;
    const first = { signalbox_backup: 1, ...header, steps, next_ids: nextIds, tables } as const;
    await line(first);
    let count = 0;
    for (const table of tables) {
      await line({ table: table.name });
      for await (const row of snapshot.rows(table)) {
        await line(row.map(asJson));
        count++;
        onRow();
      }
    }
    await line({ end: count });
    gzip.end();
    await written;
    syncPath(part);
    if (mayReplace) renameSync(part, file);
    else linkSync(part, file);
    syncPath(dirname(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StartError(`${file} is there already: name another file, or add --force.`);
    if (code === 'ENOSPC') throw new StartError(`There is no room for ${file}.`);
    throw error;
  } finally {
    rmSync(part, { force: true });
  }
};

export interface BackupReader {
  readonly header: BackupHeader;
  /** Every row with its table, in the order of the file; throws at its end when some are missing. */
  rows(): AsyncGenerator<{ readonly table: SnapshotTable; readonly row: readonly Cell[] | undefined }>;
}

const broken = (file: string): StartError => new StartError(`${file} is no whole backup of Signalbox.`);

/** Reads a backup from its beginning. */
export const readBackup = async (file: string): Promise<BackupReader> => {
  const input = createReadStream(file);
  await once(input, 'open').catch((error: Error) => {
    throw new StartError(`${file} cannot be read (${error.message}).`);
  });
  const unzipped = createGunzip();
  const reader = createInterface({ input: input.pipe(unzipped), crlfDelay: Number.POSITIVE_INFINITY });
  // What was cut or changed ends here: the last line, which says that all is there, is missing then.
  for (const stream of [input, unzipped]) stream.on('error', () => reader.close());
  const lines = reader[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next().catch(() => ({ value: undefined, done: true }));
    if (done || value === undefined) throw broken(file);
    try {
      return JSON.parse(value);
    } catch {
      throw broken(file);
    }
  };
  const first = await next();
  if (z.object({ signalbox_backup: z.int().min(2) }).safeParse(first).success)
    throw new StartError(`${file} was made by a newer version of Signalbox.`);
  const header = Header.safeParse(first);
  if (!header.success) throw broken(file);

  const tables = new Map(header.data.tables.map((table) => [table.name, table]));
  async function* rows(): AsyncGenerator<{ table: SnapshotTable; row: readonly Cell[] | undefined }> {
    let table: SnapshotTable | undefined;
    let count = 0;
    for (;;) {
      const value = await next();
      if (Array.isArray(value)) {
        const row = Row.safeParse(value);
        if (!table || !row.success || row.data.length !== table.columns.length) throw broken(file);
        count++;
        yield { table, row: row.data.map(asCell) };
        continue;
      }
      const named = TableLine.safeParse(value);
      if (named.success) {
        table = tables.get(named.data.table);
        if (!table) throw broken(file);
        yield { table, row: undefined };
        continue;
      }
      const end = EndLine.safeParse(value);
      if (!end.success || end.data.end !== count) throw broken(file);
      return;
    }
  }
  return { header: header.data, rows };
};
