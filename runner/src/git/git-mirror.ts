import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cache, recordUse } from '../cache/cache-cleaner.ts';
import { ownDetail } from '../errors/own-detail.ts';
import { PreparationError } from '../errors/preparation-error.ts';
import { KeyedMutex } from '../process/keyed-mutex.ts';
import type { ProgramEnd } from '../process/program.ts';
import { type GitOptions, git, gitError, tryGit } from './git.ts';
import { isScattered, packMirror } from './mirror-packing.ts';

/**
 * The name under which a mirror keeps the requested branch or tag. Not the original name: if the mirror has `a` and the
 * repository now has `a/b`, or a tag of that name, git cannot keep both.
 */
const kept = (branch: string) => `refs/signalbox/${createHash('sha256').update(branch).digest('hex')}`;

/** Where all branches and tags of a repository are kept, for a commit that is requested by its hash. */
const ALL = ['heads', 'tags'].map((kind) => `+refs/${kind}/*:refs/signalbox-all/${kind}/*`);

type FetchRefs = (refs: readonly string[], ...more: readonly string[]) => Promise<ProgramEnd>;

/** A full hash and the subject line. */
interface CommitFound {
  hash: string;
  message: string;
}

interface MirrorSource {
  id: number;
  url: string;
  branch: string;
  commit: string | null;
}

interface Fetched extends CommitFound {
  /** Path of the mirror. */
  mirror: string;
}

const FULL_HASH = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** The message of git if a repository and its mirror have different object formats. */
const OTHER_FORMAT = /^fatal: mismatched algorithms: client \w+; server (sha1|sha256)$/m;

/** Thrown if the repository has another object format than the mirror. */
class OtherFormatError extends Error {
  readonly format: string;

  constructor(format: string) {
    super(`The repository has the object format ${format}.`);
    this.format = format;
  }
}

/** Cleaning a mirror is never aborted. */
const NEVER = new AbortController().signal;

/** Removes the locks and incomplete packs of killed git processes. */
const clearLocks = async (mirror: string): Promise<void> => {
  for (const entry of await readdir(mirror, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && /\.lock$|^tmp_|^\.tmp-/.test(entry.name))
      await rm(join(entry.parentPath, entry.name), { force: true });
  }
};

/**
 * One bare mirror for each repository that this runner fetched, so that only new objects are transferred. One fetch at
 * a time per mirror. No other process uses the data folder of the runner, so the lock of another process is always
 * stale.
 */
export class GitMirrors {
  readonly #folder: string;
  readonly #mutex = new KeyedMutex();
  readonly #clean = new Set<string>();
  readonly #readers = new Map<string, number>();
  /** The object formats of repositories whose mirrors are not in the default format. */
  readonly #formats = new Map<string, string>();
  /** Mirrors that could not be packed. This process does not try again. */
  readonly #unpackable = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Fetches `branch` (or a tag of that name; the default branch if empty), makes sure that `commit` exists if one is
   * given, and lets `work` read the mirror. The mirror does not change until `work` ends.
   */
  async read<T>(source: MirrorSource, options: GitOptions, work: (fetched: Fetched) => Promise<T>): Promise<T> {
    const fetched = await this.#fetch(source, options);
    try {
      return await work(fetched);
    } finally {
      this.#countReaders(fetched.mirror, -1);
    }
  }

  #countReaders(mirror: string, more: 1 | -1): void {
    const readers = (this.#readers.get(mirror) ?? 0) + more;
    if (readers === 0) this.#readers.delete(mirror);
    else this.#readers.set(mirror, readers);
  }

  /**
   * Fetches into the mirror with the object format of the repository: the default format, unless the repository has
   * another.
   */
  async #fetch(source: MirrorSource, options: GitOptions): Promise<Fetched> {
    const name = `${source.id}-${createHash('sha256').update(source.url).digest('hex').slice(0, 12)}`;
    try {
      return await this.#fetchAs(name, this.#formats.get(name), source, options);
    } catch (error) {
      if (!(error instanceof OtherFormatError)) throw error;
      this.#formats.set(name, error.format);
      return await this.#fetchAs(name, error.format, source, options);
    }
  }

  /** Fetches into the mirror with an object format, and registers a reader of this mirror. */
  #fetchAs(name: string, format: string | undefined, source: MirrorSource, options: GitOptions): Promise<Fetched> {
    const mirror = join(this.#folder, format === undefined ? name : `${name}-${format}`);
    return this.#mutex.run(mirror, options.signal, async () => {
      await this.#prepare(mirror, format, options);
      this.#clean.delete(mirror);
      try {
        await recordUse(mirror);
        const commit = await this.#fetchInto(mirror, source, options);
        this.#clean.add(mirror);
        this.#countReaders(mirror, 1);
        return { mirror, ...commit };
      } finally {
        if (!this.#clean.has(mirror)) await clearLocks(mirror);
      }
    });
  }

  /** The mirrors for the cleaner. They can be removed, and fetched again. */
  get cache(): Cache {
    return {
      folder: this.#folder,
      what: 'the mirror',
      isStaging: (name) => /\.(new|gone)$/.test(name),
      exclusively: (path, work) => this.#mutex.run(path, NEVER, work),
      tidy: clearLocks,
    };
  }

  /** Mirrors that are being read. */
  get inUse(): Iterable<string> {
    return this.#readers.keys();
  }

  /** Packs the mirrors that are slow to clone from and are not being read. */
  async pack(options: GitOptions): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const mirror = join(this.#folder, name);
      if (this.cache.isStaging(name) || this.#unpackable.has(mirror) || !(await isScattered(mirror))) continue;
      await this.#mutex.run(mirror, options.signal, async () => {
        // A clone links or copies file by file, and must find each of them.
        if (this.#readers.has(mirror) || (await packMirror(mirror, options))) return;
        this.#unpackable.add(mirror);
        await clearLocks(mirror);
      });
    }
  }

  async #prepare(mirror: string, format: string | undefined, options: GitOptions): Promise<void> {
    if (!existsSync(mirror)) {
      const staging = `${mirror}.new`;
      await rm(staging, { recursive: true, force: true });
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const how = format === undefined ? [] : [`--object-format=${format}`];
      await git(
        ['init', '--bare', '--quiet', '--template=', ...how, '--', staging],
        'The mirror of the repository cannot be made',
        options,
      );
      await rename(staging, mirror);
    } else if (!this.#clean.has(mirror)) {
      await clearLocks(mirror);
    }
  }

  async #fetchInto(mirror: string, source: MirrorSource, options: GitOptions): Promise<CommitFound> {
    const always = ['--quiet', '--force', '--no-tags', '--no-auto-maintenance', '--update-shallow'];
    const fetchRefs: FetchRefs = async (refs, ...more) => {
      const end = await tryGit(['-C', mirror, 'fetch', ...always, ...more, '--', source.url, ...refs], options);
      const format = end.code === 0 ? undefined : OTHER_FORMAT.exec(end.stderr)?.[1];
      if (format !== undefined && !mirror.endsWith(`-${format}`)) throw new OtherFormatError(format);
      return end;
    };
    if (source.commit !== null) return this.#fetchCommit(mirror, source.commit, fetchRefs, options);
    const name = source.branch === '' ? 'HEAD' : source.branch;
    const wanted = source.branch === '' ? ['HEAD'] : [`refs/heads/${name}`, `refs/tags/${name}`];
    const isMissing = ({ code, stderr }: ProgramEnd): boolean => code !== 0 && /couldn't find remote ref/i.test(stderr);
    let end = await fetchRefs([`+${wanted[0]}:${kept(name)}`]);
    if (isMissing(end) && wanted[1] !== undefined) end = await fetchRefs([`+${wanted[1]}:${kept(name)}`]);
    if (isMissing(end)) {
      throw new PreparationError(
        'repository',
        source.branch === ''
          ? 'The repository has no commit yet, or its default branch has none: name a branch.'
          : `The repository has no branch or tag named ${name}.`,
        source.branch === ''
          ? { code: 'git.empty', params: { repository: '' } }
          : { code: 'git.branch_missing', params: { repository: '', branch: name } },
      );
    }
    if (end.code !== 0) throw gitError('The repository cannot be reached', end, options);
    const found = await this.#read(mirror, kept(name), options);
    if (found) return found;
    throw new PreparationError('repository', `The branch ${name} does not lead to a commit.`, {
      code: 'git.branch_missing',
      params: { repository: '', branch: name },
    });
  }

  /** Makes sure that a commit exists in the mirror. A commit that ran before may no longer be on a branch. */
  async #fetchCommit(mirror: string, commit: string, fetchRefs: FetchRefs, options: GitOptions): Promise<CommitFound> {
    if (!FULL_HASH.test(commit))
      throw new PreparationError('repository', 'The commit must be given by its full hash.', {
        code: 'git.refused',
        params: { repository: '', ...ownDetail('commit_not_full', 'the commit must be given by its full hash') },
      });
    const known = await this.#read(mirror, commit, options);
    if (known) return known;
    // Removing deleted names first allows new names that begin alike.
    const named = await fetchRefs(ALL, '--prune');
    if (named.code !== 0) throw gitError('The repository cannot be reached', named, options);
    const found = await this.#read(mirror, commit, options);
    if (found) return found;
    // Many servers send an unreferenced commit by its hash. A refusal is no error: the commit does not exist then.
    const asked = await fetchRefs([`+${commit}:refs/signalbox-all/commits/${commit}`]);
    if (asked.code === null) throw gitError('The repository cannot be reached', asked, options);
    const given = asked.code === 0 ? await this.#read(mirror, commit, options) : undefined;
    if (given) return given;
    throw new PreparationError('repository', `The repository has no commit ${commit}.`, {
      code: 'git.commit_missing',
      params: { repository: '', commit },
    });
  }

  /** The commit of a revision; undefined if it does not exist or is no commit. */
  async #read(mirror: string, revision: string, options: GitOptions): Promise<CommitFound | undefined> {
    // One process returns both, because each start of git delays the start of runs.
    const show = ['log', '-1', '--no-show-signature', '--format=%H%n%s', `${revision}^{commit}`, '--'];
    const end = await tryGit(['-C', mirror, ...show], options);
    if (end.code === null) throw gitError('The repository cannot be read', end, options);
    const [hash, message] = end.stdout.split('\n');
    return end.code === 0 && hash && message !== undefined ? { hash, message } : undefined;
  }
}
