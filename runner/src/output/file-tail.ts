import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** There is no such file, or whoever put it there made it a link, a socket, or something that this user may not read. */
const NOTHING_THERE = new Set(['ENOENT', 'ELOOP', 'ENXIO', 'EACCES']);

const isNothing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NOTHING_THERE.has(String(error.code));

/**
 * A file that another user may have put there: no link is followed, no pipe waited for, and a second name of a file that
 * this user could not read is not believed. Any other reason not to open it may pass, and is thrown.
 */
const openPlain = async (path: string): Promise<FileHandle | undefined> => {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch((error: unknown) => {
    if (isNothing(error)) return undefined;
    throw error;
  });
  if (!handle) return undefined;
  let isPlain = false;
  try {
    const facts = await handle.stat();
    isPlain = facts.isFile() && facts.nlink <= 1;
  } finally {
    if (!isPlain) await handle.close();
  }
  return isPlain ? handle : undefined;
};

/** Reads a file that grows, from its beginning or some place on, in portions. */
export class FileTail {
  readonly #path: string;
  #handle: FileHandle | undefined;
  #position: number;
  /** One for all portions: a flood would leave hundreds of megabytes behind before anybody collects them. */
  #buffer = Buffer.alloc(0);

  constructor(path: string, from = 0) {
    this.#path = path;
    this.#position = from;
  }

  /** Bytes read or passed over so far. */
  get position() {
    return this.#position;
  }

  /**
   * The next portion of at most `most` bytes; empty when there is nothing new, or no file yet. It is the caller's until
   * the next read. Throws where the file cannot be opened or read now: the next call goes on at the same place.
   */
  async read(most: number): Promise<Buffer> {
    if (most <= 0) return Buffer.alloc(0);
    this.#handle ??= await openPlain(this.#path);
    if (!this.#handle) return Buffer.alloc(0);
    if (this.#buffer.length < most) this.#buffer = Buffer.allocUnsafeSlow(most);
    const { bytesRead } = await this.#handle.read(this.#buffer, 0, most, this.#position);
    this.#position += bytesRead;
    return this.#buffer.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}
