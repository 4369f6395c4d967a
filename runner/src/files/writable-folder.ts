import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a workspace was released to the run user. All folders of one workspace share this object. */
interface Ownership {
  isReleased: boolean;
}

/**
 * A folder that only the runner can change. Secrets are written only into such folders: functions that write secrets take a
 * `WritableFolder` instead of a path, and a workspace provides one only while its files belong to the runner.
 */
export class WritableFolder {
  readonly path: string;
  readonly #ownership: Ownership;

  private constructor(path: string, ownership: Ownership) {
    this.path = path;
    this.#ownership = ownership;
  }

  /** A folder that is never released to a run user. */
  static ofRunner(path: string): WritableFolder {
    return new WritableFolder(path, { isReleased: false });
  }

  /** A folder that can be written until `release` is called, because then it belongs to the run user. */
  static untilReleased(path: string): { folder: WritableFolder; release: () => void } {
    const ownership = { isReleased: false };
    return {
      folder: new WritableFolder(path, ownership),
      release: () => {
        ownership.isReleased = true;
      },
    };
  }

  /** A subfolder. It need not exist. */
  folder(name: string): WritableFolder {
    return new WritableFolder(join(this.path, name), this.#ownership);
  }

  /**
   * Creates the folder with mode 0700, if it does not exist.
   * @throws Error after the release
   */
  async create(): Promise<this> {
    this.#requireOwnership();
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    return this;
  }

  /**
   * Writes a file, and creates the folder if it does not exist.
   * @param mode Default: 0600
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
