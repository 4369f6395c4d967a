import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cache, noteUse } from '../cache/cache-cleaner.ts';
import { PreparationError } from '../errors/preparation-error.ts';
import { KeyedMutex } from '../process/keyed-mutex.ts';
import type { ProgramEnd } from '../process/program.ts';
import { type GitOptions, git, gitError, tryGit } from './git.ts';
import { isScattered, packMirror } from './mirror-packing.ts';

/**
 * The name under which a mirror keeps the branch or tag that was asked for. Not its own: the mirror remembers `a` when the
 * repository has `a/b` by now, or as a tag, and git cannot keep both names side by side.
 */
const kept = (branch: string) => `refs/signalbox/${createHash('sha256').update(branch).digest('hex')}`;

/** Where all that a repository names is kept, for a commit that is asked for by its hash. */
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

/** How git says that a repository names its objects in another way than the mirror does. */
const OTHER_FORMAT = /^fatal: mismatched algorithms: client \w+; server (sha1|sha256)$/m;

/** The repository has another format than the mirror that was tried. */
class FormatFault extends Error {
  readonly format: string;

  constructor(format: string) {
    super(`The repository names its objects by ${format}.`);
    this.format = format;
  }
}

/** Nobody ends the cleaning of a mirror. */
const NEVER = new AbortController().signal;

/** Removes the locks and the halves of packs that killed git processes left. */
const clearLocks = async (mirror: string): Promise<void> => {
  for (const entry of await readdir(mirror, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && /\.lock$|^tmp_|^\.tmp-/.test(entry.name))
      await rm(join(entry.parentPath, entry.name), { force: true });
  }
};

/**
 * The repositories that this runner has fetched, one bare mirror each, so that only what is new travels. One fetch at a
 * time per mirror; the runner has its data folder for itself, so no other process's lock can be in use.
 */
export class GitMirrors {
  readonly #folder: string;
  readonly #turns = new KeyedMutex();
  readonly #clean = new Set<string>();
  readonly #readers = new Map<string, number>();
  /** The formats of repositories whose mirrors are not in git's usual one. */
  readonly #formats = new Map<string, string>();
  /** What could not be packed is not tried again by this process. */
  readonly #unpackable = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Fetches `branch` (or a tag of that name; the remote's own choice when empty), makes sure that `commit` is there if
   * one is given, and lets `work` read the mirror: as long as that takes, nothing is moved in it.
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

  /** Fetches into the mirror of the repository's format: the usual one, until the repository says another one. */
  async #fetch(source: MirrorSource, options: GitOptions): Promise<Fetched> {
    const name = `${source.id}-${createHash('sha256').update(source.url).digest('hex').slice(0, 12)}`;
    try {
      return await this.#fetchAs(name, this.#formats.get(name), source, options);
    } catch (error) {
      if (!(error instanceof FormatFault)) throw error;
      this.#formats.set(name, error.format);
      return await this.#fetchAs(name, error.format, source, options);
    }
  }

  /** The mirror has a reader afterwards. */
  #fetchAs(name: string, format: string | undefined, source: MirrorSource, options: GitOptions): Promise<Fetched> {
    const mirror = join(this.#folder, format === undefined ? name : `${name}-${format}`);
    return this.#turns.run(mirror, options.signal, async () => {
      await this.#prepare(mirror, format, options);
      this.#clean.delete(mirror);
      try {
        await noteUse(mirror);
        const commit = await this.#fetchInto(mirror, source, options);
        this.#clean.add(mirror);
        this.#countReaders(mirror, 1);
        return { mirror, ...commit };
      } finally {
        if (!this.#clean.has(mirror)) await clearLocks(mirror);
      }
    });
  }

  /** The mirrors as what may be removed, and fetched again. */
  get cache(): Cache {
    return {
      folder: this.#folder,
      what: 'the mirror',
      isStaging: (name) => /\.(new|gone)$/.test(name),
      exclusively: (path, work) => this.#turns.run(path, NEVER, work),
      tidy: clearLocks,
    };
  }

  /** Mirrors that somebody reads just now. */
  get inUse(): Iterable<string> {
    return this.#readers.keys();
  }

  /** Packs the mirrors that have become slow to clone from and that nobody reads just now. */
  async pack(options: GitOptions): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const mirror = join(this.#folder, name);
      if (this.cache.isStaging(name) || this.#unpackable.has(mirror) || !(await isScattered(mirror))) continue;
      await this.#turns.run(mirror, options.signal, async () => {
        // Whoever clones links or copies file by file, and must find each of them.
        if (this.#readers.has(mirror) || (await packMirror(mirror, options))) return;
        this.#unpackable.add(mirror);
        await clearLocks(mirror);
      });
    }
  }

  async #prepare(mirror: string, format: string | undefined, options: GitOptions): Promise<void> {
    if (!existsSync(mirror)) {
      const draft = `${mirror}.new`;
      await rm(draft, { recursive: true, force: true });
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const how = format === undefined ? [] : [`--object-format=${format}`];
      await git(
        ['init', '--bare', '--quiet', '--template=', ...how, '--', draft],
        'The mirror of the repository cannot be made',
        options,
      );
      await rename(draft, mirror);
    } else if (!this.#clean.has(mirror)) {
      await clearLocks(mirror);
    }
  }

  async #fetchInto(mirror: string, source: MirrorSource, options: GitOptions): Promise<CommitFound> {
    const always = ['--quiet', '--force', '--no-tags', '--no-auto-maintenance', '--update-shallow'];
    const fetchRefs: FetchRefs = async (refs, ...more) => {
      const end = await tryGit(['-C', mirror, 'fetch', ...always, ...more, '--', source.url, ...refs], options);
      const format = end.code === 0 ? undefined : OTHER_FORMAT.exec(end.stderr)?.[1];
      if (format !== undefined && !mirror.endsWith(`-${format}`)) throw new FormatFault(format);
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

  /** Makes sure that one commit is there: one that ran before may be on no branch any more, or never was. */
  async #fetchCommit(mirror: string, commit: string, fetchRefs: FetchRefs, options: GitOptions): Promise<CommitFound> {
    if (!FULL_HASH.test(commit)) throw new PreparationError('repository', 'The commit must be given by its full hash.');
    const known = await this.#read(mirror, commit, options);
    if (known) return known;
    // Names that are gone make room for those that begin alike.
    const named = await fetchRefs(ALL, '--prune');
    if (named.code !== 0) throw gitError('The repository cannot be reached', named, options);
    const found = await this.#read(mirror, commit, options);
    if (found) return found;
    // Many servers give a commit by its hash that no name leads to. A refusal is no error: then it is not there.
    const asked = await fetchRefs([`+${commit}:refs/signalbox-all/commits/${commit}`]);
    if (asked.code === null) throw gitError('The repository cannot be reached', asked, options);
    const given = asked.code === 0 ? await this.#read(mirror, commit, options) : undefined;
    if (given) return given;
    throw new PreparationError('repository', `The repository has no commit ${commit}.`, {
      code: 'git.commit_missing',
      params: { repository: '', commit },
    });
  }

  /** The commit that a revision leads to; undefined when it is not there or is no commit. */
  async #read(mirror: string, revision: string, options: GitOptions): Promise<CommitFound | undefined> {
    // One process answers both: each start of git counts when a run is to begin at once.
    const show = ['log', '-1', '--no-show-signature', '--format=%H%n%s', `${revision}^{commit}`, '--'];
    const end = await tryGit(['-C', mirror, ...show], options);
    if (end.code === null) throw gitError('The repository cannot be read', end, options);
    const [hash, message] = end.stdout.split('\n');
    return end.code === 0 && hash && message !== undefined ? { hash, message } : undefined;
  }
}
