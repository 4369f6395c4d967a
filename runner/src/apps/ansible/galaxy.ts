import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Cache } from '../../cache/cache-cleaner.ts';
import { PreparationError } from '../../errors/preparation-error.ts';
import { KeyedMutex } from '../../process/keyed-mutex.ts';
import { giveTo } from '../../process/process-user.ts';
import { runProgram } from '../../process/program.ts';
import type { ProcessUser } from '../../process/user.ts';
import type { Requirements } from './requirements.ts';

const GALAXY_TIMEOUT_MS = 15 * 60_000;

/** What stands behind the name of a folder in which is being installed. */
const DRAFT = '.draft-';

/** Counted up when the same content would be installed otherwise than before: what was kept is then not used any more. */
const GENERATION = 2;

const isOfGit = (path: string) => path.split(sep).includes('.git');

/** What is installed as the folder that it is. From a repository its commits are installed, checked out or not. */
const isPlainFolder = ({ type }: Record<string, unknown>) => type === 'dir' || type === 'subdirs';

/**
 * The files that a requirement is installed from, by name and content. Of a plain folder what git keeps for itself is left
 * out: it changes with each clone.
 */
const hashPath = async (hash: ReturnType<typeof createHash>, path: string, isPlain: boolean): Promise<void> => {
  if ((await stat(path)).isFile()) {
    hash.update(await readFile(path));
    return;
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  for (const entry of entries
    .filter((one) => one.isFile() && !(isPlain && isOfGit(relative(path, join(one.parentPath, one.name)))))
    .sort((a, b) => (a.parentPath + a.name < b.parentPath + b.name ? -1 : 1))) {
    const file = join(entry.parentPath, entry.name);
    hash.update(`${relative(path, file)}\0`).update(await readFile(file));
  }
};

/**
 * Names what is installed for a content: for ever when versions are named, else for a day.
 * @param source whose keys it is brought with, and from which servers: what one gets, others may not share
 */
export const requirementsKey = async (
  requirements: readonly Requirements[],
  day: string,
  source: string,
): Promise<string> => {
  const hash = createHash('sha256').update(`${GENERATION}\0${JSON.stringify(source)}\0`);
  for (const { kind, list } of requirements) {
    for (const { entry, isPinned, local } of list) {
      // Where a local file lies differs from run to run; what is in it counts.
      const text = JSON.stringify(entry, (_, value) =>
        local !== undefined && String(value).endsWith(local) ? '' : value,
      );
      hash.update(`${kind}\0${text}\0${isPinned || local !== undefined ? '' : day}\0`);
      if (local !== undefined) await hashPath(hash, local, isPlainFolder(entry));
    }
  }
  return hash.digest('hex').slice(0, 32);
};

export interface GalaxyOptions {
  env: Record<string, string>;
  signal: AbortSignal;
  ansibleGalaxy: string;
  checkout: string;
  /** Runs share what is installed only where this is the same, see `requirementsKey`. */
  source: string;
  /** As whom ansible-galaxy runs: what it reads and writes then is that user's, until all is installed. */
  user: ProcessUser | undefined;
  /** Called before ansible-galaxy is started for the first time. */
  open: () => Promise<void>;
  log: { line(text: string): void; write(chunk: Buffer): void };
}

/** What is installed is ours again; the user whose runs use it may read it, and not change it for others. */
const takeBack = async (user: ProcessUser, draft: string, env: Record<string, string>): Promise<void> => {
  await giveTo({ uid: process.getuid?.() ?? 0, gid: user.gid }, [draft], env);
  const end = await runProgram('chmod', ['-R', 'u+rwX,g+rX,go-w', '--', draft], {
    env,
    timeoutMs: GALAXY_TIMEOUT_MS,
  });
  if (end.code !== 0) throw new Error(`chmod failed: ${end.stderr.trim()}`);
  // Modes in it are those that tasks copy to hosts; the folder alone keeps others out.
  await chmod(draft, 0o750);
};

const requirementsFile = (draft: string, index: number) => join(draft, `requirements-${index}.yml`);

const install = async (
  { name, kind }: Requirements,
  index: number,
  draft: string,
  { ansibleGalaxy, checkout, env, signal, user, log }: GalaxyOptions,
): Promise<void> => {
  const file = requirementsFile(draft, index);
  const [fileOption, pathOption] =
    kind === 'role' ? ['--role-file', '--roles-path'] : ['--requirements-file', '--collections-path'];
  const end = await runProgram(
    ansibleGalaxy,
    [kind, 'install', `${fileOption}=${file}`, `${pathOption}=${join(draft, `${kind}s`)}`],
    { cwd: checkout, env, signal, timeoutMs: GALAXY_TIMEOUT_MS, onOutput: (chunk) => log.write(chunk), user },
  );
  if (end.code === 0) return;
  signal.throwIfAborted();
  const why = end.error === 'timeout' ? 'it took too long' : 'see the lines above';
  throw new PreparationError('preparation', `ansible-galaxy could not install the ${kind}s of ${name}: ${why}.`, {
    code: kind === 'role' ? 'requirements.roles_not_installed' : 'requirements.collections_not_installed',
    params: { file: name },
  });
};

/**
 * What ansible-galaxy has installed, one folder for each content, shared by all runs. A folder's modification time says
 * when it was used last.
 */
export class GalaxyCache {
  readonly #folder: string;
  readonly #turns = new KeyedMutex();
  #cleared: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What is installed, as what may be removed and installed again. It is never changed once it is there. */
  get cache(): Cache {
    return {
      folder: this.#folder,
      what: 'the requirements',
      isStaging: (name) => name.includes('.'),
      exclusively: (path, work) => this.#turns.run(path, new AbortController().signal, work),
    };
  }

  /**
   * Installs requirements once per content; of several runs that want the same, one installs and the others wait.
   * Answers the folder, with `roles` and `collections` in it.
   * @throws PreparationError when ansible-galaxy fails
   */
  async install(
    requirements: readonly Requirements[],
    options: GalaxyOptions,
  ): Promise<{ folder: string; isNew: boolean }> {
    this.#cleared ??= this.#clearDrafts();
    await this.#cleared.catch((error: unknown) => {
      this.#cleared = undefined;
      throw error;
    });
    const day = new Date().toISOString().slice(0, 10);
    const folder = join(this.#folder, await requirementsKey(requirements, day, options.source));
    if (this.#turns.isLocked(folder))
      options.log.line('Another run is installing the same requirements: waiting for it.');
    return this.#turns.run(folder, options.signal, async () => {
      const isNew = !existsSync(folder);
      if (isNew) await this.#installInto(folder, requirements, options);
      const now = new Date();
      await utimes(folder, now, now);
      return { folder, isNew };
    });
  }

  async #installInto(folder: string, requirements: readonly Requirements[], options: GalaxyOptions): Promise<void> {
    const draft = `${folder}${DRAFT}${randomUUID()}`;
    const { user, env } = options;
    await this.#make(user);
    await mkdir(draft, { mode: 0o700 });
    try {
      for (const [index, { kind, list }] of requirements.entries()) {
        // What was checked is what is installed: another reader of the file might see something else in it.
        const text = JSON.stringify({ [`${kind}s`]: list.map(({ entry }) => entry) });
        await writeFile(requirementsFile(draft, index), text, { mode: 0o600 });
      }
      if (user) await giveTo(user, [draft], env);
      await options.open();
      for (const [index, one] of requirements.entries()) await install(one, index, draft, options);
      if (user) await takeBack(user, draft, env);
      await rename(draft, folder);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }

  async #make(user: ProcessUser | undefined): Promise<void> {
    const mode = user === undefined ? 0o700 : 0o711;
    await mkdir(this.#folder, { recursive: true, mode });
    await chmod(this.#folder, mode);
  }

  /** Removes what killed processes have left half installed. */
  async #clearDrafts(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((one) => one.includes(DRAFT))) {
      await rm(join(this.#folder, name), { recursive: true, force: true });
    }
  }
}
