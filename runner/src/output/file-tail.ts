import { type FileHandle, open } from 'node:fs/promises';

/** Reads a file that grows, from its beginning or some place on, in portions. */
export class FileTail {
  readonly #path: string;
  #handle: FileHandle | undefined;
  #position: number;

  constructor(path: string, from = 0) {
    this.#path = path;
    this.#position = from;
  }

  /** Bytes read or passed over so far. */
  get position() {
    return this.#position;
  }

  /** The next portion of at most `most` bytes; empty when there is nothing new, or no file yet. */
  async read(most: number): Promise<Buffer> {
    this.#handle ??= await open(this.#path, 'r').catch(() => undefined);
    if (!this.#handle || most <= 0) return Buffer.alloc(0);
    const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(most), 0, most, this.#position);
    this.#position += bytesRead;
    return buffer.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}
