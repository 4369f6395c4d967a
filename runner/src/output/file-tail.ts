import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * A file that another user may have put there: no link is followed, no pipe waited for, and a second name of a file that
 * this user could not read is not believed.
 */
const openPlain = async (path: string): Promise<FileHandle | undefined> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (!handle) return undefined;
  const facts = await handle.stat();
  if (facts.isFile() && facts.nlink <= 1) return handle;
  await handle.close();
  return undefined;
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
   * the next read.
   */
  async read(most: number): Promise<Buffer> {
    this.#handle ??= await openPlain(this.#path);
    if (!this.#handle || most <= 0) return Buffer.alloc(0);
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
