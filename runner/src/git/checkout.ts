import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositorySource } from '@signalbox/contract/link';
import { PreparationFault } from '../prepare/preparation-fault.ts';
import type { DemoRepository } from './demo-repository.ts';
import { type GitOptions, git } from './git.ts';
import { gitAccess } from './git-access.ts';
import type { GitMirrors } from './git-mirror.ts';
import { parseRepositoryUrl, type RepositoryAddress } from './repository-address.ts';

export interface GitPlaces {
  mirrors: GitMirrors;
  demo: DemoRepository;
  roots: readonly string[];
  knownHosts: (name: string) => string;
  /** Whether a checkout may share files with its mirror: one that is given to another user may not. */
  sharesFiles: boolean;
}

export interface AccessedRepository {
  address: RepositoryAddress;
  options: GitOptions;
  /** What git fetches from. */
  from: string;
}

/** Opens the way to a repository: what git needs is written into `folder`. */
export const accessRepository = async (
  source: RepositorySource,
  places: GitPlaces,
  folder: string,
  options: GitOptions,
): Promise<AccessedRepository> => {
  const address = parseRepositoryUrl(source.url, places.roots);
  if (address.type === 'demo') {
    const from = await places.demo.path(options);
    return { address, options, from };
  }
  const knownHosts = places.knownHosts(`repository-${source.id}`);
  const access = await gitAccess(address, source.access, {
    folder,
    knownHosts,
    env: options.env,
    signal: options.signal,
  });
  const from = address.type === 'remote' ? address.url : address.path;
  return { address, options: { ...options, env: { ...options.env, ...access } }, from };
};

const localOptions = (options: GitOptions): GitOptions => ({
  ...options,
  env: { ...options.env, GIT_ALLOW_PROTOCOL: 'file' },
});

const checkOutSubmodules = async (checkout: string, repository: AccessedRepository): Promise<void> => {
  if (!existsSync(join(checkout, '.gitmodules')) || repository.address.type === 'demo') return;
  // Relative addresses of submodules count from where the repository really is, not from the mirror.
  await git(
    ['-C', checkout, 'remote', 'set-url', '--', 'origin', repository.from],
    'The submodules cannot be read',
    repository.options,
  );
  const update = ['-C', checkout, 'submodule', '--quiet', 'update', '--init', '--recursive'];
  await git(update, 'The submodules cannot be fetched', repository.options);
};

/**
 * Brings what a run needs into `checkout`. Answers the commit, or undefined for a plain folder, which is copied as it is.
 */
export const checkOut = async (
  source: RepositorySource,
  commit: string | null,
  repository: AccessedRepository,
  places: GitPlaces,
  checkout: string,
): Promise<{ hash: string; message: string } | undefined> => {
  if (repository.address.type === 'folder') {
    if (commit !== null)
      throw new PreparationFault('repository', 'A commit cannot be chosen: the local repository is a plain folder.');
    await cp(repository.from, checkout, { recursive: true, verbatimSymlinks: true, mode: 0 });
    return undefined;
  }
  const { mirror, hash, message } = await places.mirrors.fetch(
    { id: source.id, url: repository.from, branch: source.branch, commit },
    repository.options,
  );
  const local = localOptions(repository.options);
  const failing = 'The repository cannot be checked out';
  await git(
    [
      'clone',
      '--quiet',
      places.sharesFiles ? '--local' : '--no-hardlinks',
      '--no-checkout',
      '--no-tags',
      '--template=',
      '--',
      mirror,
      checkout,
    ],
    failing,
    local,
  );
  await git(['-C', checkout, 'checkout', '--quiet', '--force', '--detach', hash], failing, local);
  await checkOutSubmodules(checkout, repository);
  return { hash, message: message.trim().slice(0, 1000) };
};
