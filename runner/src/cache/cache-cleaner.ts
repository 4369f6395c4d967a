import { existsSync } from 'node:fs';
import { lstat, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A file of this name in a cached folder is touched at each use. */
const USED = '.used';

/** What was used so lately may still be read from, in milliseconds: no call of git takes longer. */
const IN_USE_MS = 60 * 60_000;
const LOOK_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Notes that a cached folder was used now. */
export const noteUse = async (folder: string): Promise<void> => {
  const file = join(folder, USED);
  const now = new Date();
  await utimes(file, now, now).catch(() => writeFile(file, '', { mode: 0o600 }).catch(() => undefined));
};

export interface CacheLimits {
  /** Days after its last use that something is kept; 0 means for ever. */
  days: number;
  /** Bytes that all together may have; 0 means no limit. */
  bytes: number;
}

/** A folder of folders, each of which can be made again. */
export interface Cache {
  folder: string;
  /** What is in it, in the words of the runner's log. */
  what: string;
  /** Names of drafts, which nobody needs once the process that made them is gone. */
  isStaging: (name: string) => boolean;
  /** Does some work while nobody else uses that folder. */
  exclusively: (path: string, work: () => Promise<void>) => Promise<void>;
  /** Removes what killed programs have left in it. */
  tidy?: (path: string) => Promise<void>;
}

/** What an earlier process had begun to make; its name begins as what it would have become, before a dot. */
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
  /** Folders that a run reads from now. */
  inUse: () => Promise<ReadonlySet<string>>;
  note: (sentence: string) => void;
  /** Done before each look. */
  cleanMore?: () => Promise<void>;
  /** Done after each look, with what is kept. */
  afterCleaning?: () => Promise<void>;
}

/** Removes mirrors and installed requirements that nobody has used for long, and the least recently used ones when they need too much room. */
export class CacheCleaner {
  readonly #needs: CleanerDeps;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(needs: CleanerDeps) {
    this.#needs = needs;
  }

  /** Drafts that are there now: who made them may still be at it, so they are removed only when that is over. */
  async stagingFolders(): Promise<Staging[]> {
    const found: Staging[] = [];
    for (const cache of this.#needs.caches)
      for (const name of await readdir(cache.folder).catch(() => []))
        if (cache.isStaging(name)) found.push({ cache, name });
    return found;
  }

  /** Removes the drafts of an earlier process, then cleans now and every hour. */
  start(stagingFolders: readonly Staging[]): void {
    this.#work = this.#begin(stagingFolders).catch(this.#fault);
    this.#timer = setInterval(() => {
      this.#work = this.#work.then(() => this.clean()).catch(this.#fault);
    }, LOOK_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#work;
  }

  readonly #fault = (fault: unknown): void => this.#needs.note(`The caches cannot be cleaned: ${String(fault)}`);

  async #begin(stagingFolders: readonly Staging[]): Promise<void> {
    for (const draft of stagingFolders) await this.#removeDraft(draft);
    for (const { cache, path } of await this.#paths())
      if (cache.tidy) await cache.exclusively(path, async () => void (await cache.tidy?.(path)));
    await this.clean();
  }

  /** A run may be making the same again by now. */
  async #removeDraft({ cache, name }: Staging): Promise<void> {
    const [whole = name] = name.split('.');
    await cache.exclusively(join(cache.folder, whole), async () => {
      const path = join(cache.folder, name);
      if (!existsSync(path)) return;
      await rm(path, { recursive: true, force: true });
      this.#needs.note(`Removed ${name}, which an earlier start of the runner had left unfinished.`);
    });
  }

  async #paths(): Promise<{ cache: Cache; path: string }[]> {
    const found: { cache: Cache; path: string }[] = [];
    for (const cache of this.#needs.caches) {
      for (const name of await readdir(cache.folder).catch(() => []))
        if (!cache.isStaging(name)) found.push({ cache, path: join(cache.folder, name) });
    }
    return found;
  }

  /** Looks once. `now` is in milliseconds since 1970. */
  async clean(now = Date.now()): Promise<void> {
    const { limits, cleanMore, afterCleaning } = this.#needs;
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
      const why = isOld ? `unused for ${limits.days} days` : 'to make room';
      if (await this.#remove(entry, now, why)) total -= entry.bytes;
    }
    await afterCleaning?.();
  }

  async #remove({ cache, path, bytes, used }: Entry, now: number, why: string): Promise<boolean> {
    if (now - used < IN_USE_MS || (await this.#needs.inUse()).has(path)) return false;
    let isGone = false;
    await cache.exclusively(path, async () => {
      // It may have been used while the lock was waited for.
      if (!existsSync(path) || now - (await lastUse(path)) < IN_USE_MS) return;
      const gone = `${path}.gone`;
      await rm(gone, { recursive: true, force: true });
      await rename(path, gone);
      await rm(gone, { recursive: true, force: true });
      isGone = true;
    });
    if (isGone) this.#needs.note(`Removed ${cache.what} ${basename(path)} (${inMegabytes(bytes)}), ${why}.`);
    return isGone;
  }
}
