import { existsSync } from 'node:fs';
import { lstat, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DAY_MS } from '@signalbox/contract/limits';

/** A file of this name in a cached folder is touched at each use. */
const USED = '.used';

/** A folder that was used more recently may still be read, in milliseconds. No call of git takes longer. */
const IN_USE_MS = 60 * 60_000;
const CLEAN_EVERY_MS = 60 * 60_000;

/** Records that a cached folder is used now. */
export const recordUse = async (folder: string): Promise<void> => {
  const file = join(folder, USED);
  const now = new Date();
  await utimes(file, now, now).catch(() => writeFile(file, '', { mode: 0o600 }).catch(() => undefined));
};

export interface CacheLimits {
  /** Days that an entry is kept after its last use; 0 means forever. */
  days: number;
  /** Maximum bytes of all entries; 0 means no limit. */
  bytes: number;
}

/** A folder of folders, each of which can be recreated. */
export interface Cache {
  folder: string;
  /** What an entry is called in the log of the runner. */
  what: string;
  /** Whether a name is that of a staging folder, which is useless after the process that made it has ended. */
  isStaging: (name: string) => boolean;
  /** Runs `work` while nothing else uses the folder. */
  exclusively: (path: string, work: () => Promise<void>) => Promise<void>;
  /** Removes what killed programs left in an entry. */
  tidy?: (path: string) => Promise<void>;
}

/** A staging folder that an earlier process left. Its name is that of the entry, a dot and a suffix. */
interface Staging {
  cache: Cache;
  name: string;
}

interface Entry {
  cache: Cache;
  path: string;
  bytes: number;
  /** Milliseconds since 1970. */
  used: number;
}

const sizeOf = async (folder: string): Promise<number> => {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
};

const lastUse = async (folder: string): Promise<number> =>
  (await stat(join(folder, USED)).catch(() => stat(folder))).mtimeMs;

const inMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

export interface CleanerDeps {
  caches: readonly Cache[];
  limits: CacheLimits;
  /** Folders that runs are reading. */
  inUse: () => Promise<ReadonlySet<string>>;
  log: (text: string) => void;
  /** Called before each cleaning. */
  cleanMore?: () => Promise<void>;
  /** Called after each cleaning. */
  afterCleaning?: () => Promise<void>;
}

/** Removes cache entries that were not used for long, and the least recently used ones if all need too much space. */
export class CacheCleaner {
  readonly #deps: CleanerDeps;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(deps: CleanerDeps) {
    this.#deps = deps;
  }

  /**
   * The staging folders that exist now. Processes of an earlier runner may still write to them until those processes
   * are ended.
   */
  async stagingFolders(): Promise<Staging[]> {
    const found: Staging[] = [];
    for (const cache of this.#deps.caches)
      for (const name of await readdir(cache.folder).catch(() => []))
        if (cache.isStaging(name)) found.push({ cache, name });
    return found;
  }

  /** Removes the staging folders of an earlier process, then cleans now and every hour. */
  start(stagingFolders: readonly Staging[]): void {
    this.#work = this.#begin(stagingFolders).catch(this.#error);
    this.#timer = setInterval(() => {
      this.#work = this.#work.then(() => this.clean()).catch(this.#error);
    }, CLEAN_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#work;
  }

  readonly #error = (error: unknown): void => this.#deps.log(`The caches cannot be cleaned: ${String(error)}`);

  async #begin(stagingFolders: readonly Staging[]): Promise<void> {
    for (const staging of stagingFolders) await this.#removeStaging(staging);
    for (const { cache, path } of await this.#paths())
      if (cache.tidy) await cache.exclusively(path, async () => void (await cache.tidy?.(path)));
    await this.clean();
  }

  /** Removes a staging folder, unless a run is making the same entry again. */
  async #removeStaging({ cache, name }: Staging): Promise<void> {
    const [whole = name] = name.split('.');
    await cache.exclusively(join(cache.folder, whole), async () => {
      const path = join(cache.folder, name);
      if (!existsSync(path)) return;
      await rm(path, { recursive: true, force: true });
      this.#deps.log(`Removed ${name}, which an earlier start of the runner had left unfinished.`);
    });
  }

  async #paths(): Promise<{ cache: Cache; path: string }[]> {
    const found: { cache: Cache; path: string }[] = [];
    for (const cache of this.#deps.caches) {
      for (const name of await readdir(cache.folder).catch(() => []))
        if (!cache.isStaging(name)) found.push({ cache, path: join(cache.folder, name) });
    }
    return found;
  }

  /** Cleans once. @param now milliseconds since 1970 */
  async clean(now = Date.now()): Promise<void> {
    const { limits, cleanMore, afterCleaning } = this.#deps;
    await cleanMore?.();
    const entries: Entry[] = [];
    for (const { cache, path } of await this.#paths())
      entries.push({ cache, path, bytes: await sizeOf(path), used: await lastUse(path).catch(() => now) });
    entries.sort((a, b) => a.used - b.used);
    let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const entry of entries) {
      const isOld = limits.days > 0 && now - entry.used > limits.days * DAY_MS;
      const isTooMuch = limits.bytes > 0 && total > limits.bytes;
      if (!isOld && !isTooMuch) continue;
      const why = isOld ? `unused for ${limits.days} days` : 'to free space';
      if (await this.#remove(entry, now, why)) total -= entry.bytes;
    }
    await afterCleaning?.();
  }

  async #remove({ cache, path, bytes, used }: Entry, now: number, why: string): Promise<boolean> {
    if (now - used < IN_USE_MS || (await this.#deps.inUse()).has(path)) return false;
    let isGone = false;
    await cache.exclusively(path, async () => {
      // The entry may have been used while this waited for the lock.
      if (!existsSync(path) || now - (await lastUse(path)) < IN_USE_MS) return;
      const gone = `${path}.gone`;
      await rm(gone, { recursive: true, force: true });
      await rename(path, gone);
      await rm(gone, { recursive: true, force: true });
      isGone = true;
    });
    if (isGone) this.#deps.log(`Removed ${cache.what} ${basename(path)} (${inMegabytes(bytes)}), ${why}.`);
    return isGone;
  }
}
