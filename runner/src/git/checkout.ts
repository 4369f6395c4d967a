import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositorySource } from '@signalbox/contract/link';
import { PreparationError } from '../errors/preparation-error.ts';
import type { WritableFolder } from '../files/writable-folder.ts';
import { TRUNCATED } from '../output/plain-text.ts';
import type { HostKeys } from '../ssh/host-keys.ts';
import type { DemoRepository } from './demo-repository.ts';
import { copyFolder } from './folder-copy.ts';
import { type GitOptions, git } from './git.ts';
import { gitAccess } from './git-access.ts';
import type { GitMirrors } from './git-mirror.ts';
import { fetchLargeFiles } from './large-files.ts';
import { parseRepositoryUrl, type RepositoryAddress } from './repository-address.ts';
import { checkOutSubmodules } from './submodules.ts';

export interface GitContext {
  mirrors: GitMirrors;
  demo: DemoRepository;
  roots: readonly string[];
  hostKeys: HostKeys;
  /** Whether a checkout may share files with its mirror. Not if it is given to a run user. */
  sharesFiles: boolean;
}

export interface AccessedRepository {
  address: RepositoryAddress;
  options: GitOptions;
  /** The address that git fetches from. */
  from: string;
  /** Removes the key of the repository and all files that were written. Must be called after the last fetch. */
  close(): Promise<void>;
}

/** Gives git access to a repository. The files for that are written into `folder`, which `close` removes. */
export const accessRepository = async (
  source: Omit<RepositorySource, 'id'>,
  context: GitContext,
  folder: WritableFolder,
  options: GitOptions,
): Promise<AccessedRepository> => {
  const address = parseRepositoryUrl(source.url, context.roots);
  if (address.type === 'demo') {
    const from = await context.demo.path(options);
    return { address, options, from, close: async () => undefined };
  }
  const { hostKeys } = context;
  const access = await gitAccess(address, source.access, {
    folder,
    hostKeys: { policy: hostKeys.policy, knownHosts: hostKeys.filesOf(source.project_id) },
  });
  const close = async () => {
    await access.close();
    await rm(folder.path, { recursive: true, force: true });
  };
  try {
    await access.open({ privately: join(folder.path, 'open'), env: options.env, signal: options.signal });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    address,
    options: { ...options, env: { ...options.env, ...access.env }, hostKeyFile: hostKeys.fileOf(source.project_id) },
    from: address.type === 'remote' ? address.url : address.path,
    close,
  };
};

const localOptions = (options: GitOptions): GitOptions => ({
  ...options,
  env: { ...options.env, GIT_ALLOW_PROTOCOL: 'file' },
});

/** Length of a SHA-1 hash. SHA-256 hashes are longer. */
const SHA1_LENGTH = 40;

const FAILING = 'The repository cannot be checked out';

const cloneMirror = async (
  { mirror, hash }: { mirror: string; hash: string },
  checkout: string,
  { sharesFiles }: GitContext,
  options: GitOptions,
): Promise<void> => {
  const files = sharesFiles ? '--local' : '--no-hardlinks';
  const args = ['clone', '--quiet', files, '--no-checkout', '--no-tags', '--template=', '--', mirror, checkout];
  // A mirror has no branch, so git treats the clone as empty, and an empty repository has the default format otherwise.
  const env = { ...options.env, GIT_DEFAULT_HASH: hash.length === SHA1_LENGTH ? 'sha1' : 'sha256' };
  await git(args, FAILING, { ...options, env });
  if (!existsSync(join(mirror, 'shallow'))) return;
  // git clones a shallow repository like a remote one: it fetches branches only, and a mirror has none.
  const fetch = ['fetch', '--quiet', '--no-tags', '--update-shallow', '--', mirror, hash];
  await git(['-C', checkout, ...fetch], FAILING, options);
};

/** Receives the progress of a checkout. */
export interface CheckOutLog {
  line: (text: string) => void;
  /** Called at the end of a phase with what was done. */
  done: (what: string) => void;
}

const NO_LOG: CheckOutLog = { line: () => undefined, done: () => undefined };

/** Maximum number of characters of a commit message that are shown. */
export const COMMIT_MESSAGE_LENGTH = 1000;

/** Shortens a commit message for the log. Its end is marked, because it may be the beginning of a secret. */
const shownMessage = (message: string): string =>
  message.length > COMMIT_MESSAGE_LENGTH ? `${message.slice(0, COMMIT_MESSAGE_LENGTH)}${TRUNCATED}` : message;

/**
 * Checks out a repository. A plain folder is copied unchanged.
 * @returns the commit; undefined for a plain folder
 */
export const checkOut = async (
  source: RepositorySource,
  commit: string | null,
  repository: AccessedRepository,
  context: GitContext,
  { path: checkout }: WritableFolder,
  log = NO_LOG,
): Promise<{ hash: string; message: string } | undefined> => {
  if (repository.address.type === 'folder') {
    if (commit !== null)
      throw new PreparationError('repository', 'A commit cannot be chosen: the local repository is a plain folder.', {
        code: 'git.plain_folder',
        params: { repository: '' },
      });
    log.line('Commit: none, the folder is copied as it is');
    await copyFolder(repository.from, checkout, repository.options.signal);
    log.done('Copied');
    return undefined;
  }
  const { options } = repository;
  const local = localOptions(options);
  const wanted = { id: source.id, url: repository.from, branch: source.branch, commit };
  const { mirror, hash, message } = await context.mirrors.read(wanted, options, async (found) => {
    log.done('Repository fetched');
    const fetched = { ...found, message: found.message.trim() };
    log.line(`Commit: ${fetched.hash} ${shownMessage(fetched.message)}`);
    await cloneMirror(fetched, checkout, context, local);
    return fetched;
  });
  await git(['-C', checkout, 'checkout', '--quiet', '--force', '--detach', hash], FAILING, local);
  log.done('Checked out');
  if (repository.address.type !== 'demo') {
    const common = { isRemote: repository.address.type === 'remote', roots: context.roots, git: repository.options };
    const large = { ...common, storage: join(mirror, 'lfs'), log: log.line };
    if (await fetchLargeFiles(checkout, { ...large, from: repository.from })) log.done('Files in Git LFS fetched');
    const haveSubmodules = await checkOutSubmodules(checkout, {
      ...common,
      from: repository.from,
      onTree: async (tree, isRemote) => void (await fetchLargeFiles(tree, { ...large, isRemote, from: undefined })),
    });
    if (haveSubmodules) log.done('Submodules fetched');
  }
  return { hash, message };
};
