import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const LARGE = 1 << 20;
const SMALL = 1 << 12;

const writeUntilFull = (file: number, portion: number, most: number): number => {
  const data = Buffer.alloc(portion, 'x');
  let written = 0;
  try {
    while (written + portion <= most) written += writeSync(file, data);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  return written;
};

/** A disk of its own for a folder, so small that it can be filled. It needs the right to mount: without it nothing is proved. */
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
      throw new Error('A full disk can only be tried where a small one may be mounted: run this test as root.', {
        cause: error,
      });
    }
    return new SmallDisk(folder);
  }

  /** Fills it to the last page; or all but so many bytes. */
  fill(free = 0): void {
    rmSync(this.#filler, { force: true });
    const file = openSync(this.#filler, 'w');
    try {
      const reserve = join(this.#folder, 'reserve');
      const kept = openSync(reserve, 'w');
      writeUntilFull(kept, SMALL, free);
      closeSync(kept);
      writeUntilFull(file, LARGE, Number.POSITIVE_INFINITY);
      writeUntilFull(file, SMALL, Number.POSITIVE_INFINITY);
      rmSync(reserve);
    } finally {
      closeSync(file);
    }
  }

  /** Makes room again. */
  free(): void {
    rmSync(this.#filler, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.#folder], { stdio: 'pipe' });
  }
}
