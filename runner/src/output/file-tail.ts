import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** The file does not exist, or it is a link, a socket, or a file that this user may not read. */
const NOTHING_THERE = new Set(['ENOENT', 'ELOOP', 'ENXIO', 'EACCES']);

const isNothing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NOTHING_THERE.has(String(error.code));

/**
 * Opens a file that another user may have created: links are not followed, pipes are not waited for, and a hard link to
 * a file that this user could not read is refused. Any other error may be temporary, and is thrown.
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
    const status = await handle.stat();
    isPlain = status.isFile() && status.nlink <= 1;
  } finally {
    if (!isPlain) await handle.close();
  }
  return isPlain ? handle : undefined;
};

/** Reads a growing file in chunks, from an offset. */
export class FileTail {
  readonly #path: string;
  #handle: FileHandle | undefined;
  #position: number;
  /**
   * One buffer for all chunks: otherwise a flood of output would leave hundreds of megabytes to the garbage collector.
   */
  #buffer = Buffer.alloc(0);

  constructor(path: string, from = 0) {
    this.#path = path;
    this.#position = from;
  }

  /** Bytes that were read or skipped. */
  get position() {
    return this.#position;
  }

  /**
   * The next chunk of at most `most` bytes; empty if there is nothing new, or no file. The caller may use it until the
   * next read.
   * @throws Error if the file cannot be opened or read now: the next call continues at the same offset
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
