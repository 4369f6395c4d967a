import type { Selectable } from 'kysely';
import type { Logs } from '../database/database.ts';
import type { LogBlockTable, LogHeadTable } from '../database/logs.schema.ts';
import { decodeLines, encodeLines, encodeRecords, type Line, pack } from './block-codec.ts';

/** Loose blocks are packed into one when they reach this size, in bytes. */
export const PACK_BYTES = 256 * 1024;

export type Stream = 'output' | 'results';
export type Block = Selectable<LogBlockTable>;
export type LogHead = Pick<Selectable<LogHeadTable>, 'epoch' | 'next_line' | 'offset' | 'next_result'> & {
  closed: boolean;
};

const EMPTY_HEAD: LogHead = { epoch: 0, next_line: 1, offset: 0, next_result: 1, closed: false };

export interface OutputBatch {
  readonly taskId: number;
  readonly epoch: number;
  readonly first: number;
  readonly lines: readonly Line[];
  readonly offset: number;
}

export interface ResultsBatch {
  readonly taskId: number;
  readonly epoch: number;
  readonly first: number;
  readonly records: readonly unknown[];
}

/** The new part of a batch, and the state after it. A batch of an old lease, or after a gap, stores nothing. */
export interface Appended<Item> {
  readonly head: LogHead;
  readonly fresh: readonly Item[];
}

/** The sizes of data that is not packed yet. */
type Loose = Pick<Selectable<LogHeadTable>, 'loose_bytes' | 'loose_results'>;

export const readHead = async (db: Logs, taskId: number): Promise<LogHead & Loose> => {
  const row = await db.selectFrom('log_head').selectAll().where('task_id', '=', taskId).executeTakeFirst();
  if (!row) return { ...EMPTY_HEAD, loose_bytes: 0, loose_results: 0 };
  const { sealed, ...head } = row;
  return { ...head, closed: sealed === 1 };
};

const writeHead = async (db: Logs, taskId: number, { closed, ...head }: LogHead & Loose): Promise<void> => {
  const values = { ...head, sealed: closed ? (1 as const) : (0 as const) };
  await db
    .insertInto('log_head')
    .values({ task_id: taskId, ...values })
    .onConflict((oc) => oc.column('task_id').doUpdateSet(values))
    .execute();
};

/** The part of a batch that is not stored yet; null when nothing may be stored. */
const freshPart = <Item>(
  items: readonly Item[],
  first: number,
  next: number,
  fits: boolean,
): readonly Item[] | null => {
  if (!fits || first > next) return null;
  return items.slice(next - first);
};

const insertBlock = async (db: Logs, block: Block): Promise<void> => {
  await db.insertInto('log_block').values(block).execute();
};

/** Joins the loose blocks of a stream into one compressed block. */
const packStream = async (db: Logs, taskId: number, stream: Stream): Promise<void> => {
  const loose = await db
    .selectFrom('log_block')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('stream', '=', stream)
    .where('kind', '=', 'loose')
    .orderBy('first')
    .execute();
  const [oldest] = loose;
  const newest = loose.at(-1);
  if (!oldest || !newest) return;
  const joined =
    stream === 'output'
      ? encodeLines(loose.flatMap((b) => decodeLines(b.data)))
      : Buffer.concat(loose.map((b) => b.data));
  await db
    .deleteFrom('log_block')
    .where('task_id', '=', taskId)
    .where('stream', '=', stream)
    .where('kind', '=', 'loose')
    .where('first', '<=', newest.first)
    .execute();
  const count = loose.reduce((sum, block) => sum + block.count, 0);
  await insertBlock(db, { ...oldest, count, kind: 'packed', data: await pack(joined) });
};

/** @returns the number of inserted bytes */
const insertLines = async (db: Logs, taskId: number, first: number, lines: readonly Line[]): Promise<number> => {
  const data = encodeLines(lines);
  await insertBlock(db, { task_id: taskId, stream: 'output', first, count: lines.length, kind: 'loose', data });
  return data.length;
};

/** Stores lines once, in order. Must run in a transaction that has locked the log. */
export const appendOutput = async (db: Logs, batch: OutputBatch): Promise<Appended<Line>> => {
  const head = await readHead(db, batch.taskId);
  const fresh = freshPart(batch.lines, batch.first, head.next_line, batch.epoch >= head.epoch && !head.closed);
  if (fresh === null) return { head, fresh: [] };
  const next = { ...head, epoch: batch.epoch, offset: Math.max(head.offset, batch.offset) };
  if (fresh.length > 0) {
    next.loose_bytes += await insertLines(db, batch.taskId, head.next_line, fresh);
    next.next_line += fresh.length;
    if (next.loose_bytes >= PACK_BYTES) {
      await packStream(db, batch.taskId, 'output');
      next.loose_bytes = 0;
    }
  }
  await writeHead(db, batch.taskId, next);
  return { head: next, fresh };
};

/** Stores results once, in order. Must run in a transaction that has locked the log. */
export const appendResults = async (db: Logs, batch: ResultsBatch): Promise<Appended<unknown>> => {
  const head = await readHead(db, batch.taskId);
  const fresh = freshPart(batch.records, batch.first, head.next_result, batch.epoch >= head.epoch && !head.closed);
  if (fresh === null || fresh.length === 0) return { head, fresh: [] };
  const data = encodeRecords(fresh);
  await insertBlock(db, {
    task_id: batch.taskId,
    stream: 'results',
    first: head.next_result,
    count: fresh.length,
    kind: 'loose',
    data,
  });
  const next = { ...head, epoch: batch.epoch, next_result: head.next_result + fresh.length };
  next.loose_results += data.length;
  if (next.loose_results >= PACK_BYTES) {
    await packStream(db, batch.taskId, 'results');
    next.loose_results = 0;
  }
  await writeHead(db, batch.taskId, next);
  return { head: next, fresh };
};

/**
 * Closes a log, optionally with a last line of the server, and packs loose blocks. Does nothing to a closed log. Must
 * run in a transaction that has locked the log.
 */
export const closeLog = async (db: Logs, taskId: number, lastLine?: Line): Promise<Appended<Line>> => {
  const head = await readHead(db, taskId);
  if (head.closed) return { head, fresh: [] };
  const fresh = lastLine === undefined ? [] : [lastLine];
  if (fresh.length > 0) await insertLines(db, taskId, head.next_line, fresh);
  await packStream(db, taskId, 'output');
  await packStream(db, taskId, 'results');
  const closed = {
    ...head,
    next_line: head.next_line + fresh.length,
    loose_bytes: 0,
    loose_results: 0,
    closed: true,
  };
  await writeHead(db, taskId, closed);
  return { head: closed, fresh };
};

/** Deletes the logs of some tasks. Must run in a transaction that has locked them. */
export const removeLogs = async (db: Logs, taskIds: readonly number[]): Promise<void> => {
  if (taskIds.length === 0) return;
  await db.deleteFrom('log_block').where('task_id', 'in', taskIds).execute();
  await db.deleteFrom('log_head').where('task_id', 'in', taskIds).execute();
};
