import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const LARGE = 1 << 20;
const SMALL = 1 << 12;

const writeUntilFull = (file: number, chunk: number, most: number): number => {
  const data = Buffer.alloc(chunk, 'x');
  let written = 0;
  try {
    while (written + chunk <= most) written += writeSync(file, data);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  return written;
};

/** A separate small disk for a folder, which can be filled. Mounting it requires root. */
export class SmallDisk {
  readonly #folder: string;
  readonly #filler: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#filler = join(folder, 'filler');
  }

  /** @throws when this process may not mount */
  static mount(folder: string, megabytes: number): SmallDisk {
    mkdirSync(folder, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder], { stdio: 'pipe' });
    } catch (error) {
      throw new Error('This test mounts a small disk: run it as root.', {
        cause: error,
      });
    }
    return new SmallDisk(folder);
  }

  /** Fills the disk, except for a number of bytes. */
  fill(free = 0): void {
    rmSync(this.#filler, { force: true });
    const file = openSync(this.#filler, 'w');
    try {
      const reserve = join(this.#folder, 'reserve');
      const reserved = openSync(reserve, 'w');
      writeUntilFull(reserved, SMALL, free);
      closeSync(reserved);
      writeUntilFull(file, LARGE, Number.POSITIVE_INFINITY);
      writeUntilFull(file, SMALL, Number.POSITIVE_INFINITY);
      rmSync(reserve);
    } finally {
      closeSync(file);
    }
  }

  /** Frees the space again. */
  free(): void {
    rmSync(this.#filler, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.#folder], { stdio: 'pipe' });
  }
}
