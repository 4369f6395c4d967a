import { chmod, mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cache } from '../cache/cache-cleaner.ts';
import { KeyedMutex } from '../process/keyed-mutex.ts';
import { changeOwner } from '../process/process-user.ts';
import { runProgram } from '../process/program.ts';
import type { ProcessUser } from '../process/user.ts';

/** Suffix of staging folders. Earlier versions used the same. */
export const STAGING = '.draft-';

const RECLAIM_MS = 15 * 60_000;

interface ContentCacheOptions {
  readonly folder: string;
  /** What an entry is called in the log of the runner. */
  readonly what: string;
  /** The line in the log of a run that waits until another one has made the same entry. */
  readonly waiting: string;
  /** Whether an entry was made to its end. */
  readonly isComplete: (folder: string) => boolean;
}

interface ContentUse {
  readonly signal: AbortSignal;
  /** The user who makes an entry. */
  readonly user: ProcessUser | undefined;
  readonly log: { line(text: string): void };
}

/**
 * What runs install once and then only read: one folder for each content, shared by the runs that need the same. The
 * modification time of a folder is the time of its last use.
 */
export class ContentCache {
  readonly #options: ContentCacheOptions;
  readonly #mutex = new KeyedMutex();
  #cleared: Promise<void> | undefined;

  constructor(options: ContentCacheOptions) {
    this.#options = options;
  }

  /** The cache for the cleaner. Entries are never changed, and can be made again. */
  get cache(): Cache {
    const { folder, what } = this.#options;
    return {
      folder,
      what,
      isStaging: (name) => name.includes('.'),
      exclusively: (path, work) => this.#mutex.run(path, new AbortController().signal, work),
    };
  }

  /** Returns the folder of an entry. If several runs need the same one, one makes it and the others wait. */
  async provide(
    name: string,
    { signal, user, log }: ContentUse,
    make: (folder: string) => Promise<void>,
  ): Promise<{ readonly folder: string; readonly isNew: boolean }> {
    this.#cleared ??= this.#clearStaging();
    await this.#cleared.catch((error: unknown) => {
      this.#cleared = undefined;
      throw error;
    });
    const folder = join(this.#options.folder, name);
    if (this.#mutex.isLocked(folder)) log.line(this.#options.waiting);
    return await this.#mutex.run(folder, signal, async () => {
      const isNew = !this.#options.isComplete(folder);
      if (isNew) {
        await makeEnterable(this.#options.folder, user);
        await make(folder);
      }
      const now = new Date();
      await utimes(folder, now, now);
      return { folder, isNew };
    });
  }

  /** Removes the staging folders of killed processes. */
  async #clearStaging(): Promise<void> {
    const names = await readdir(this.#options.folder).catch(() => []);
    for (const name of names.filter((one) => one.includes(STAGING)))
      await rm(join(this.#options.folder, name), { recursive: true, force: true });
  }
}

/** Makes a folder that the run user can enter but not list. */
export const makeEnterable = async (folder: string, user: ProcessUser | undefined): Promise<void> => {
  const mode = user === undefined ? 0o700 : 0o711;
  await mkdir(folder, { recursive: true, mode });
  await chmod(folder, mode);
};

/** Makes installed files belong to the runner again. The run user can read them, and cannot change them for other runs. */
export const reclaim = async (user: ProcessUser, folder: string, env: Record<string, string>): Promise<void> => {
  await changeOwner({ uid: process.getuid?.() ?? 0, gid: user.gid }, [folder], env);
  const end = await runProgram('chmod', ['-R', 'u+rwX,g+rX,go-w', '--', folder], { env, timeoutMs: RECLAIM_MS });
  if (end.code !== 0) throw new Error(`chmod failed: ${end.stderr.trim()}`);
  // The modes of files are kept, because tasks copy them to hosts. Only the folder keeps other users out.
  await chmod(folder, 0o750);
};
