import type { Logs } from '../../database/database.ts';
import { unpack } from '../block-codec.ts';
import type { Block } from '../log-blocks.ts';
import { decryptBlock } from './block-cipher.ts';
import { LogStoreError, type ObjectStore } from './object-store.ts';

/** The store of moved logs, and the secret that encrypts them. */
export interface LogObjects {
  readonly store: ObjectStore;
  readonly secret: Buffer;
}

/** Where a moved block is: the number of a part of the object, and a range of its bytes. */
export interface Position {
  readonly part: number;
  readonly offset: number;
  readonly length: number;
}

export const partName = (name: string, part: number): string => `${name}.${part}`;

export const encodePosition = ({ part, offset, length }: Position): Buffer =>
  Buffer.from(`${part} ${offset} ${length}`);

export const decodePosition = (data: Uint8Array): Position => {
  const [part = 0, offset = 0, length = 0] = Buffer.from(data).toString('latin1').split(' ').map(Number);
  return { part, offset, length };
};

/** Reads blocks wherever they are. */
export interface BlockSource {
  readonly db: Logs;
  /** The uncompressed bytes of a block. */
  bytesOf(block: Block): Promise<Uint8Array>;
}

/** Maximum size of the blocks in memory, in bytes: enough for the pages that some users are reading. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** Blocks in the order of their last use. A block of a closed log never changes, so none has to be replaced. */
class BlockCache {
  readonly #blocks = new Map<string, Uint8Array>();
  #bytes = 0;

  get(key: string): Uint8Array | undefined {
    const block = this.#blocks.get(key);
    if (block) {
      this.#blocks.delete(key);
      this.#blocks.set(key, block);
    }
    return block;
  }

  add(key: string, block: Uint8Array): void {
    if (this.#blocks.has(key)) return;
    this.#blocks.set(key, block);
    this.#bytes += block.length;
    for (const [oldest, { length }] of this.#blocks) {
      if (this.#bytes <= CACHE_BYTES || oldest === key) return;
      this.#blocks.delete(oldest);
      this.#bytes -= length;
    }
  }
}

/** Returns the name of the object that contains a log; undefined if the log is in the database. */
export const objectOf = async (db: Logs, taskId: number): Promise<string | undefined> => {
  const row = await db
    .selectFrom('log_block')
    .select('data')
    .where('task_id', '=', taskId)
    .where('stream', '=', 'object')
    .where('kind', '=', 'written')
    .executeTakeFirst();
  return row && Buffer.from(row.data).toString();
};

/** The compressed bytes of a moved block, by the data of its row. */
export const fetchBlock = async (
  objects: LogObjects | undefined,
  object: string,
  position: Uint8Array,
): Promise<Buffer> => {
  if (!objects) throw new LogStoreError('away', 'A log was moved, but no log store is set.');
  const { part, offset, length } = decodePosition(position);
  const name = partName(object, part);
  return decryptBlock(objects.secret, name, offset, await objects.store.read(name, offset, length));
};

export const makeBlockSource = (db: Logs, objects: LogObjects | undefined): BlockSource => {
  const cache = new BlockCache();
  const movedBytes = async (block: Block): Promise<Uint8Array> => {
    const key = `${block.task_id} ${block.stream} ${block.first}`;
    const kept = cache.get(key);
    if (kept) return kept;
    const object = await objectOf(db, block.task_id);
    if (object === undefined) throw new LogStoreError('missing', 'The log was removed while it was read.');
    const bytes = unpack(await fetchBlock(objects, object, block.data));
    cache.add(key, bytes);
    return bytes;
  };
  return {
    db,
    bytesOf: async (block) => {
      if (block.kind === 'moved') return await movedBytes(block);
      return block.kind === 'packed' ? unpack(block.data) : block.data;
    },
  };
};
