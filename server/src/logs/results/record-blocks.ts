import type { HostRecord, ResultRecord } from '@signalbox/contract';
import { recordRows } from '../block-codec.ts';
import { PAGE_BYTES } from '../log-pages.ts';
import type { BlockSource } from '../objects/block-source.ts';

/** Records that are stored together, as JSON texts. */
interface RecordBlock {
  readonly first: number;
  readonly rows: readonly string[];
}

/** Returns the block with a record; undefined when it is not stored. */
const blockOf = async (source: BlockSource, taskId: number, record: number): Promise<RecordBlock | undefined> => {
  const block = await source.db
    .selectFrom('log_block')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('stream', '=', 'results')
    .where('first', '<=', record)
    .orderBy('first', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!block || block.first + block.count <= record) return undefined;
  return { first: block.first, rows: recordRows(await source.bytesOf(block)) };
};

/** Yields stored records as JSON texts from a number on. Holds one block in memory at a time. */
export async function* rowsFrom(source: BlockSource, taskId: number, first: number): AsyncGenerator<string[]> {
  for (let next = first; ; ) {
    const block = await blockOf(source, taskId, next);
    if (!block) return;
    yield block.rows.slice(next - block.first);
    next = block.first + block.rows.length;
  }
}

/** Yields stored records from a number on. */
export async function* recordsFrom(source: BlockSource, taskId: number, first: number): AsyncGenerator<ResultRecord[]> {
  for await (const rows of rowsFrom(source, taskId, first)) yield rows.map((row) => JSON.parse(row) as ResultRecord);
}

/** Reads the results with these ascending numbers, up to the size of a page in bytes. */
export const readRecords = async (
  source: BlockSource,
  taskId: number,
  numbers: readonly number[],
  bytes = PAGE_BYTES,
): Promise<HostRecord[]> => {
  const records: HostRecord[] = [];
  let block: RecordBlock | undefined;
  let remaining = bytes;
  for (const number of numbers) {
    if (!block || number >= block.first + block.rows.length) block = await blockOf(source, taskId, number);
    const row = block?.rows[number - block.first];
    if (row === undefined) continue;
    remaining -= Buffer.byteLength(row);
    if (remaining < 0 && records.length > 0) break;
    records.push(JSON.parse(row) as HostRecord);
  }
  return records;
};
