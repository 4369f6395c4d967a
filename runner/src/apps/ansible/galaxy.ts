import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cache } from '../../cache/cache-cleaner.ts';
import type { ReadyEnvironment } from '../../environments/environment.ts';
import { PreparationError } from '../../errors/preparation-error.ts';
import { hashPath } from '../../files/hash-path.ts';
import { changeOwner } from '../../process/process-user.ts';
import { runProgram } from '../../process/program.ts';
import { runReaped } from '../../process/reaped-program.ts';
import type { ProcessUser } from '../../process/user.ts';
import { ContentCache, reclaim, STAGING } from '../../workspace/content-cache.ts';
import type { Requirements } from './requirements.ts';

const GALAXY_TIMEOUT_MS = 15 * 60_000;

/** Increased when the same content is installed in another way, so that older entries are no longer used. */
const GENERATION = 3;

/** Whether a requirement is installed from the files of a folder. From a repository, its commits are installed. */
const isPlainFolder = ({ type }: Record<string, unknown>) => type === 'dir' || type === 'subdirs';

/**
 * The cache key of requirements. It stays the same forever if all versions are pinned, otherwise for a day.
 * @param source distinguishes keys and servers: requirements that one project may read must not be shared with others
 */
export const requirementsKey = async (
  requirements: readonly Requirements[],
  day: string,
  source: string,
): Promise<string> => {
  const hash = createHash('sha256').update(`${GENERATION}\0${JSON.stringify(source)}\0`);
  for (const { kind, list } of requirements) {
    for (const { entry, isPinned, local } of list) {
      // The path of a local file differs between runs, so its content counts instead.
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
  /** The environment of every child process of the runner. */
  base: Readonly<Record<string, string>>;
  env: Record<string, string>;
  signal: AbortSignal;
  /** The execution environment of the run, which has ansible-galaxy. */
  environment: ReadyEnvironment;
  checkout: string;
  /** Runs share installed requirements only with the same source, see `requirementsKey`. */
  source: string;
  /** The user of ansible-galaxy, who owns the staging folder until everything is installed. */
  user: ProcessUser | undefined;
  /** Called before ansible-galaxy is started for the first time. */
  open: () => Promise<void>;
  log: { line(text: string): void; write(chunk: Buffer): void };
}

const requirementsFile = (staging: string, index: number) => join(staging, `requirements-${index}.yml`);

const install = async (
  { name, kind }: Requirements,
  index: number,
  staging: string,
  { environment, checkout, base, env, signal, user, log }: GalaxyOptions,
): Promise<void> => {
  const file = requirementsFile(staging, index);
  const [fileOption, pathOption] =
    kind === 'role' ? ['--role-file', '--roles-path'] : ['--requirements-file', '--collections-path'];
  const program = environment.program('ansible-galaxy');
  const {
    argv,
    env: commandEnv,
    container,
  } = environment.makeCommand({
    argv: [program, kind, 'install', `${fileOption}=${file}`, `${pathOption}=${join(staging, `${kind}s`)}`],
    env,
    cwd: checkout,
    writes: [staging],
  });
  const [first = program, ...args] = argv;
  const call = {
    ...{ cwd: checkout, env: commandEnv, signal, timeoutMs: GALAXY_TIMEOUT_MS },
    onOutput: (chunk: Buffer) => log.write(chunk),
  };
  // The engine ends the processes of its container, and must remove it afterwards.
  const end = container ? await runProgram(first, args, call) : await runReaped(first, args, { ...call, base, user });
  if (end.code === 0) return;
  signal.throwIfAborted();
  const why = end.error === 'timeout' ? 'it took too long' : 'see the lines above';
  throw new PreparationError('preparation', `ansible-galaxy could not install the ${kind}s of ${name}: ${why}.`, {
    code: kind === 'role' ? 'requirements.roles_not_installed' : 'requirements.collections_not_installed',
    params: { file: name },
  });
};

/** Installed requirements: one folder for each content, shared by all runs. */
export class GalaxyCache {
  readonly #content: ContentCache;

  constructor(folder: string) {
    this.#content = new ContentCache({
      folder,
      what: 'the requirements',
      waiting: 'Another run is installing the same requirements: waiting for it.',
      isComplete: existsSync,
    });
  }

  get cache(): Cache {
    return this.#content.cache;
  }

  /**
   * Installs requirements once for each content. If several runs need the same, one installs and the others wait.
   * @returns the folder with `roles` and `collections`
   * @throws PreparationError when ansible-galaxy fails
   */
  async install(requirements: readonly Requirements[], options: GalaxyOptions) {
    const day = new Date().toISOString().slice(0, 10);
    const name = await requirementsKey(requirements, day, options.source);
    return await this.#content.provide(name, options, (folder) => installInto(folder, requirements, options));
  }
}

const installInto = async (
  folder: string,
  requirements: readonly Requirements[],
  options: GalaxyOptions,
): Promise<void> => {
  const staging = `${folder}${STAGING}${randomUUID()}`;
  const { user, env } = options;
  await mkdir(staging, { mode: 0o700 });
  try {
    for (const [index, { kind, list }] of requirements.entries()) {
      // Install exactly what was checked: ansible-galaxy could read the original file differently.
      const text = JSON.stringify({ [`${kind}s`]: list.map(({ entry }) => entry) });
      await writeFile(requirementsFile(staging, index), text, { mode: 0o600 });
    }
    if (user) await changeOwner(user, [staging], env);
    await options.open();
    for (const [index, one] of requirements.entries()) await install(one, index, staging, options);
    if (user) await reclaim(user, staging, env);
    await rename(staging, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
};
