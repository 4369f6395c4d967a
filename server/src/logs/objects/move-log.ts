import type { Logs } from '../../database/database.ts';
import { pack } from '../block-codec.ts';
import type { GroupCommit } from '../group-commit.ts';
import { type Block, readHead } from '../log-blocks.ts';
import { encryptBlock } from './block-cipher.ts';
import { encodePosition, fetchBlock, type LogObjects, objectOf, type Position, partName } from './block-source.ts';

/** Maximum size of a part of an object, in bytes: a part is in memory while it is written. */
const PART_BYTES = 32 * 1024 * 1024;

/** What encryption adds to a block. */
const OVERHEAD = 16;

const MOVED_STREAMS = ['output', 'results'] as const;

/** Rows per statement, because databases limit the number of values. */
const CHUNK = 500;

export interface MoveSize {
  readonly parts: number;
  readonly bytes: number;
}

/** What a step of a move needs. */
export interface MoveDeps {
  readonly db: Logs;
  readonly writes: GroupCommit;
  readonly objects: LogObjects | undefined;
  /** Ends the writes of objects. */
  readonly signal: AbortSignal;
}

type Key = Pick<Block, 'stream' | 'first'>;

/** The blocks of a log that are in the database, with the part of the object that they go to. */
const planOf = async (db: Logs, taskId: number): Promise<readonly (Key & { part: number; size: number })[]> => {
  const rows = await db
    .selectFrom('log_block')
    .select((eb) => ['stream', 'first', eb.fn<number>('length', ['data']).as('size')])
    .where('task_id', '=', taskId)
    .where('stream', 'in', MOVED_STREAMS)
    .where('kind', 'in', ['loose', 'packed'])
    .orderBy('stream')
    .orderBy('first')
    .execute();
  let part = 1;
  let filled = 0;
  return rows.map(({ stream, first, size }) => {
    if (filled > 0 && filled + size > PART_BYTES) {
      part += 1;
      filled = 0;
    }
    filled += size + OVERHEAD;
    return { stream, first, part, size };
  });
};

/** Returns the size of the blocks that must still be moved; undefined if there are none, or the log is not closed. */
export const moveSize = async (db: Logs, taskId: number): Promise<MoveSize | undefined> => {
  const { closed } = await readHead(db, taskId);
  const plan = closed ? await planOf(db, taskId) : [];
  const last = plan.at(-1);
  return last && { parts: last.part, bytes: plan.reduce((sum, { size }) => sum + size, 0) };
};

const objectRow = (taskId: number, name: string) =>
  ({ task_id: taskId, stream: 'object', first: 1, count: 0, data: Buffer.from(name) }) as const;

const readObjectRow = async (db: Logs, taskId: number) =>
  await db
    .selectFrom('log_block')
    .select(['kind', 'data'])
    .where('task_id', '=', taskId)
    .where('stream', '=', 'object')
    .executeTakeFirst();

const isRow = (row: Awaited<ReturnType<typeof readObjectRow>>, kind: Block['kind'], name: string): boolean =>
  row?.kind === kind && Buffer.from(row.data).toString() === name;

const deleteObjectBlock = async (db: Logs, taskId: number): Promise<void> => {
  await db.deleteFrom('log_block').where('task_id', '=', taskId).where('stream', '=', 'object').execute();
};

/** Stores that a move writes this object. An earlier move of the log can no longer end. */
const begin = ({ writes }: MoveDeps, taskId: number, name: string): Promise<boolean> =>
  writes.write([taskId], async (tx) => {
    const { closed } = await readHead(tx, taskId);
    if (!closed || (await readObjectRow(tx, taskId))?.kind === 'written') return false;
    await deleteObjectBlock(tx, taskId);
    await tx
      .insertInto('log_block')
      .values({ ...objectRow(taskId, name), kind: 'writing' })
      .execute();
    return true;
  });

const readBlock = (db: Logs, taskId: number, { stream, first }: Key): Promise<Block | undefined> =>
  db
    .selectFrom('log_block')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('stream', '=', stream)
    .where('first', '=', first)
    .executeTakeFirst();

type Moved = Omit<Block, 'data'> & { readonly position: Position };

/** Writes the parts of an object one after the other. Returns undefined if the log was removed meanwhile. */
const writeParts = async (
  { db, signal }: MoveDeps,
  { store, secret }: LogObjects,
  taskId: number,
  name: string,
): Promise<Moved[] | undefined> => {
  const moved: Moved[] = [];
  const parts = Map.groupBy(await planOf(db, taskId), ({ part }) => part);
  for (const [part, keys] of parts) {
    const whole = partName(name, part);
    const pieces: Buffer[] = [];
    let offset = 0;
    for (const key of keys) {
      const block = await readBlock(db, taskId, key);
      if (!block) return undefined;
      const { data, kind, ...rest } = block;
      const piece = encryptBlock(secret, whole, offset, kind === 'packed' ? data : await pack(data));
      moved.push({ ...rest, kind: 'moved', position: { part, offset, length: piece.length } });
      pieces.push(piece);
      offset += piece.length;
    }
    await store.put(whole, Buffer.concat(pieces), signal);
  }
  return moved;
};

/** Replaces the blocks by their positions, unless the log was removed, or another move of it began. */
const replaceBlocks = ({ writes }: MoveDeps, taskId: number, name: string, moved: readonly Moved[]): Promise<boolean> =>
  writes.write([taskId], async (tx) => {
    if (!isRow(await readObjectRow(tx, taskId), 'writing', name)) return false;
    await tx.deleteFrom('log_block').where('task_id', '=', taskId).where('stream', 'in', MOVED_STREAMS).execute();
    for (let start = 0; start < moved.length; start += CHUNK) {
      const rows = moved.slice(start, start + CHUNK).map(({ position, ...row }) => ({
        ...row,
        data: encodePosition(position),
      }));
      await tx.insertInto('log_block').values(rows).execute();
    }
    await deleteObjectBlock(tx, taskId);
    await tx
      .insertInto('log_block')
      .values({ ...objectRow(taskId, name), kind: 'written' })
      .execute();
    return true;
  });

/**
 * Moves a closed log into an object. The log is in the database until one transaction replaces all of its blocks.
 * @returns false if the object is not needed, because the log was removed or moved by another server meanwhile
 */
export const moveLog = async (deps: MoveDeps, taskId: number, name: string): Promise<boolean> => {
  if (!deps.objects || !(await begin(deps, taskId, name))) return false;
  const moved = await writeParts(deps, deps.objects, taskId, name);
  return moved !== undefined && (await replaceBlocks(deps, taskId, name, moved));
};

/**
 * Ends a move that may have been interrupted. If another server still executes it, it can no longer succeed.
 * @returns whether the log is in the object
 */
export const endMove = ({ writes }: MoveDeps, taskId: number, name: string): Promise<boolean> =>
  writes.write([taskId], async (tx) => {
    const row = await readObjectRow(tx, taskId);
    if (isRow(row, 'writing', name)) await deleteObjectBlock(tx, taskId);
    return isRow(row, 'written', name);
  });

/** Moves some streams of a log back into the database, block by block. The row of each block shows where it is. */
export const moveStreamsBack = async (
  { db, writes, objects }: MoveDeps,
  taskId: number,
  streams: readonly Block['stream'][],
): Promise<void> => {
  const object = await objectOf(db, taskId);
  if (object === undefined) return;
  const keys = await db
    .selectFrom('log_block')
    .select(['stream', 'first'])
    .where('task_id', '=', taskId)
    .where('stream', 'in', streams)
    .where('kind', '=', 'moved')
    .execute();
  for (const key of keys) {
    const block = await readBlock(db, taskId, key);
    if (block?.kind !== 'moved') continue;
    const data = await fetchBlock(objects, object, block.data);
    await writes.write([taskId], async (tx) => {
      // The log may have been removed meanwhile.
      if (!isRow(await readObjectRow(tx, taskId), 'written', object)) return;
      const same = tx.updateTable('log_block').where('task_id', '=', taskId);
      await same
        .set({ kind: 'packed', data } as never)
        .where('stream', '=', key.stream)
        .where('first', '=', key.first)
        .execute();
    });
  }
};

/** Moves a log back into the database. Interrupted, it can be repeated. */
export const moveLogBack = async (deps: MoveDeps, taskId: number): Promise<void> => {
  if ((await objectOf(deps.db, taskId)) === undefined) return;
  await moveStreamsBack(deps, taskId, MOVED_STREAMS);
  await deps.writes.write([taskId], (tx) => deleteObjectBlock(tx, taskId));
};
