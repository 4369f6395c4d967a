import type { Logs } from '../database/database.ts';
import { decodeLines, type Line, recordRows } from './block-codec.ts';
import { type Block, readHead, type Stream } from './log-blocks.ts';
import type { BlockSource } from './objects/block-source.ts';

/** Maximum size of a page of lines or records, in bytes. A page has at least one item, whatever its size. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Blocks in the first read; each further read fetches twice as many. A few packed blocks fill a page, but loose
 * blocks may hold one line each.
 */
const FIRST_BLOCKS = 8;

/** Returns the first `count` blocks, in the given order, with items from `from` to before `end`. */
const blocksOf = (
  db: Logs,
  taskId: number,
  stream: Stream,
  [from, end]: readonly [number, number],
  order: 'asc' | 'desc',
  count: number,
): Promise<Block[]> =>
  db
    .selectFrom('log_block')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('stream', '=', stream)
    .where('first', '<', end)
    .where('first', '>=', (eb) =>
      eb.fn.coalesce(
        eb
          .selectFrom('log_block as b')
          .select((e) => e.fn.max('b.first').as('first'))
          .where('b.task_id', '=', taskId)
          .where('b.stream', '=', stream)
          .where('b.first', '<=', from),
        eb.lit(0),
      ),
    )
    .orderBy('first', order)
    .limit(count)
    .execute();

/** Returns empty lines for missing ones, so that later lines keep their numbers. */
const gapOf = (count: number): Line[] => Array.from({ length: Math.max(0, count) }, () => [0, '', 'server']);

/** Returns how many lines of a task are stored. */
export const countLines = async (db: Logs, taskId: number): Promise<number> => {
  const row = await db
    .selectFrom('log_block')
    .select((eb) => eb.fn.sum<number | string | null>('count').as('lines'))
    .where('task_id', '=', taskId)
    .where('stream', '=', 'output')
    .executeTakeFirst();
  return Number(row?.lines ?? 0);
};

interface ReadBlock {
  /** Number of the first item. */
  readonly first: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Yields the blocks with items from `from` to before `end`. Numbers of items that are not stored are left out. */
export async function* blocksFrom(
  { db, bytesOf }: BlockSource,
  taskId: number,
  stream: Stream,
  [from, end]: readonly [number, number],
): AsyncGenerator<ReadBlock> {
  for (let next = from, most = FIRST_BLOCKS; next < end; most *= 2) {
    const blocks = await blocksOf(db, taskId, stream, [next, end], 'asc', most);
    for (const block of blocks) {
      const { first, count } = block;
      // The block that starts before `from` may also end before it.
      if (first + count <= next) continue;
      yield { first, count, bytes: await bytesOf(block) };
      next = first + count;
    }
    if (blocks.length < most) return;
  }
}

/**
 * Yields items from `from` to before `end`, block by block.
 * @param fill creates items for missing ones; none by default
 */
async function* partsFrom<Item>(
  source: BlockSource,
  taskId: number,
  stream: Stream,
  decode: (bytes: Uint8Array) => Item[],
  [from, end]: readonly [number, number],
  fill: (count: number) => Item[] = () => [],
): AsyncGenerator<Item[]> {
  let next = from;
  for await (const { first, count, bytes } of blocksFrom(source, taskId, stream, [from, end])) {
    if (first > next) yield fill(first - next);
    next = Math.max(next, first);
    yield decode(bytes).slice(next - first, end - first);
    next = first + count;
  }
  if (next < end) yield fill(end - next);
}

/** Yields lines from before `end` back to `from`, last line first, block by block. */
async function* linesBackwards(
  { db, bytesOf }: BlockSource,
  taskId: number,
  from: number,
  end: number,
): AsyncGenerator<Line[]> {
  for (let next = end, count = FIRST_BLOCKS; next > from; count *= 2) {
    const blocks = await blocksOf(db, taskId, 'output', [from, next], 'desc', count);
    for (const block of blocks) {
      const last = block.first + block.count;
      if (last < next) yield gapOf(next - Math.max(from, last));
      if (last <= from) return;
      yield decodeLines(await bytesOf(block))
        .slice(Math.max(0, from - block.first), Math.max(0, next - block.first))
        .reverse();
      next = block.first;
    }
    if (blocks.length < count) {
      yield gapOf(next - from);
      return;
    }
  }
}

/** Returns as many items as fit into a number of bytes, at least one. */
const fitting = async <Item>(
  parts: AsyncIterable<readonly Item[]>,
  textOf: (item: Item) => string,
  bytes: number,
): Promise<Item[]> => {
  const items: Item[] = [];
  let remaining = bytes;
  for await (const part of parts) {
    for (const item of part) {
      remaining -= Buffer.byteLength(textOf(item));
      if (remaining < 0 && items.length > 0) return items;
      items.push(item);
    }
  }
  return items;
};

const textOfLine = ([, text]: Line): string => text;

/** Reads lines from a number on, up to a count or the size of a page. */
export const readLines = async (
  source: BlockSource,
  taskId: number,
  from: number,
  limit: number,
  bytes = PAGE_BYTES,
): Promise<Line[]> => {
  const { next_line } = await readHead(source.db, taskId);
  const end = Math.min(from + limit, next_line);
  return await fitting(partsFrom(source, taskId, 'output', decodeLines, [from, end], gapOf), textOfLine, bytes);
};

/** Reads the lines before a number, in order, up to a count or the size of a page. */
export const readLinesBefore = async (
  source: BlockSource,
  taskId: number,
  end: number,
  limit: number,
): Promise<Line[]> =>
  (await fitting(linesBackwards(source, taskId, Math.max(1, end - limit), end), textOfLine, PAGE_BYTES)).reverse();

/** Reads records from a number on, up to a count or the size of a page. */
export const readResults = async (
  source: BlockSource,
  taskId: number,
  from: number,
  limit: number,
): Promise<unknown[]> => {
  const parts = partsFrom(source, taskId, 'results', recordRows, [from, from + limit]);
  const rows = await fitting(parts, (row) => row, PAGE_BYTES);
  return rows.map((row) => JSON.parse(row) as unknown);
};
