import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { JsonShape } from '@signalbox/contract';
import { z } from 'zod';
import type { Cell, Snapshot, SnapshotTable } from '../database/snapshot.ts';
import { writeWholeFile } from '../files/whole-file.ts';
import { PassphraseBox } from '../secrets/passphrase-box.ts';
import { StartError } from '../start-error.ts';
import { isLeftOut } from './left-out.ts';
import { linesOf } from './lines-of.ts';

const Table = z.object({
  name: z.string().regex(/^[a-z_]+$/),
  part: z.enum(['state', 'logs']),
  columns: z.array(z.string().regex(/^[a-z_]+$/)),
  rows: z.int(),
});

/** The first line of a backup. It is followed by the name and rows of each table, and by the number of rows. */
const Header = z.object({
  signalbox_backup: z.literal(1),
  version: z.string(),
  made: z.string(),
  database: z.enum(['sqlite', 'postgres']),
  steps: z.object({ state: z.array(z.string()), logs: z.array(z.string()) }),
  next_ids: z.record(z.string().regex(/^[a-z_]+$/), z.int()),
  tables: z.array(Table),
  /** Whether the backup contains API tokens. */
  with_tokens: z.boolean().default(false),
  /** The encryption keys, protected by a passphrase; null unless requested. */
  key: PassphraseBox.nullable(),
});
export type BackupHeader = z.infer<typeof Header>;

/** Purpose of the box with the keys. A box with another purpose cannot be opened. */
export const KEY_PURPOSE = 'signalbox backup key';

const Bytes = z.object({ b64: z.string() });
const Row = z.array(z.union([z.string(), z.number(), z.null(), Bytes]));
const TableLine = z.object({ table: z.string() });
const EndLine = z.object({ end: z.int() });

const asJson = (cell: Cell): unknown =>
  cell instanceof Uint8Array ? { b64: Buffer.from(cell).toString('base64') } : cell;
const asCell = (value: z.infer<typeof Row>[number]): Cell =>
  typeof value === 'object' && value !== null ? Buffer.from(value.b64, 'base64') : value;

/**
 * Maximum nesting and number of values of a line. A row is a list of cells; the header lists the columns of all
 * tables.
 */
const MAX_DEPTH = 8;
const MAX_VALUES = 10_000;

/**
 * Parses the JSON of a line. The shape is checked first, because JSON with many small values takes many times its
 * size when parsed.
 * @throws SyntaxError when it is not JSON
 * @throws RangeError when it is too deep, or has too many values
 */
const parseLine = (line: string): unknown => {
  const shape = new JsonShape();
  shape.add(line);
  if (shape.depth > MAX_DEPTH || shape.values > MAX_VALUES)
    throw new RangeError('A line is nested too deep or has too many values.');
  return JSON.parse(line);
};

const asLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

export interface BackupOptions {
  readonly header: Omit<BackupHeader, 'signalbox_backup' | 'tables' | 'steps' | 'next_ids'>;
  readonly mayReplace: boolean;
  readonly onRow: () => void;
}

/**
 * Writes a snapshot to a file that only this user may read. The file appears only when it is complete.
 * @throws StartError when the file cannot be written or already exists
 */
export const writeBackup = (
  file: string,
  snapshot: Snapshot,
  { header, mayReplace, onRow }: BackupOptions,
): Promise<void> =>
  writeWholeFile(file, { mayReplace, advice: 'name another file, or add --force' }, async (output) => {
    const { steps, nextIds } = snapshot;
    const tables = snapshot.tables.filter((table) => !isLeftOut(table, header.with_tokens));
    async function* lines(): AsyncGenerator<string> {
      yield asLine({ signalbox_backup: 1, ...header, steps, next_ids: nextIds, tables });
      let count = 0;
      for (const table of tables) {
        yield asLine({ table: table.name });
        for await (const row of snapshot.rows(table)) {
          yield asLine(row.map(asJson));
          count++;
          onRow();
        }
      }
      yield asLine({ end: count });
    }
    await pipeline(lines, createGzip(), output);
  });

export interface BackupReader {
  readonly header: BackupHeader;
  /** Yields every row with its table, in file order. Throws at the end when rows are missing. */
  rows(): AsyncGenerator<{ readonly table: SnapshotTable; readonly row: Cell[] | undefined }>;
}

const broken = (file: string): StartError => new StartError(`${file} is not a Signalbox backup, or it is incomplete.`);

/** Reads the header of a backup. */
export const readBackup = async (file: string): Promise<BackupReader> => {
  const input = createReadStream(file);
  await once(input, 'open').catch((error: Error) => {
    throw new StartError(`${file} cannot be read (${error.message}).`);
  });
  const unzipped = createGunzip();
  input.on('error', (error) => unzipped.destroy(error));
  const lines = linesOf(input.pipe(unzipped));
  const next = async (): Promise<unknown> => {
    try {
      const { value, done } = await lines.next();
      if (!done) return parseLine(value);
    } catch {
      // A truncated or changed file ends here without the last line, which proves that the backup is complete.
    }
    throw broken(file);
  };
  const first = await next();
  if (z.object({ signalbox_backup: z.int().min(2) }).safeParse(first).success)
    throw new StartError(`${file} was made by a newer version of Signalbox.`);
  const header = Header.safeParse(first);
  if (!header.success) throw broken(file);

  const tables = new Map(header.data.tables.map((table) => [table.name, table]));
  async function* rows(): AsyncGenerator<{ table: SnapshotTable; row: Cell[] | undefined }> {
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
        tables.delete(table.name);
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
