import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether the files of a workspace can still be written. All folders of one workspace share it. */
interface Ownership {
  isReleased: boolean;
}

/**
 * A folder that only the runner can change. Secrets are written into such folders and nowhere else: a function that writes
 * takes a `WritableFolder`, which a workspace gives out only while its files belong to the runner.
 */
export class WritableFolder {
  readonly path: string;
  readonly #ownership: Ownership;

  private constructor(path: string, ownership: Ownership) {
    this.path = path;
    this.#ownership = ownership;
  }

  /** A folder that no run user ever gets. */
  static ofRunner(path: string): WritableFolder {
    return new WritableFolder(path, { isReleased: false });
  }

  /** A folder that can be written until `release` is called. */
  static untilReleased(path: string): { folder: WritableFolder; release: () => void } {
    const ownership = { isReleased: false };
    return {
      folder: new WritableFolder(path, ownership),
      release: () => {
        ownership.isReleased = true;
      },
    };
  }

  /** A folder in this folder; it may not exist. */
  folder(name: string): WritableFolder {
    return new WritableFolder(join(this.path, name), this.#ownership);
  }

  /**
   * Creates the folder, which only its owner can open.
   * @throws Error after the release
   */
  async create(): Promise<this> {
    this.#requireOwnership();
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    return this;
  }

  /**
   * Writes a file that only its owner can read, and creates the folder.
   * @param mode Default: 0600, so that it is not executable.
   * @returns the path of the file
   * @throws Error after the release
   */
  async write(name: string, data: string, mode = 0o600): Promise<string> {
    await this.create();
    const path = join(this.path, name);
    await writeFile(path, data, { mode });
    return path;
  }

  #requireOwnership(): void {
    if (this.#ownership.isReleased) throw new Error(`${this.path} belongs to the run user: nothing is written there.`);
  }
}
