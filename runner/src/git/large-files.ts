import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainText } from '../files/plain-text-file.ts';
import { findProgram } from '../process/find-program.ts';
import { type GitOptions, git, tryGit } from './git.ts';
import { insideCheckout } from './inside-checkout.ts';
import { checkSubmoduleUrl, gitConfigValues } from './submodules.ts';

/** Maximum number of attributes files of a tree that are checked. */
const MAX_ATTRIBUTES_FILES = 1_000;

const attributesIn = (tree: string, name: string): string => {
  const path = join(tree, name);
  try {
    // git follows no link here either.
    return lstatSync(path).isFile() ? (readPlainText(path) ?? '') : '';
  } catch {
    return '';
  }
};

/** Whether a working tree keeps files in Git LFS, according to the `.gitattributes` of its folders. */
const hasLargeFiles = async (tree: string, options: GitOptions): Promise<boolean> => {
  const listed = await tryGit(['-C', tree, 'ls-files', '-z', '--', ':(glob)**/.gitattributes'], options);
  const names = listed.stdout.split('\0').filter((name) => name !== '');
  return names.slice(0, MAX_ATTRIBUTES_FILES).some((name) => /\bfilter=lfs\b/.test(attributesIn(tree, name)));
};

const CONFIG = '.lfsconfig';

const FILTER = [
  'filter.lfs.clean=git-lfs clean -- %f',
  'filter.lfs.smudge=git-lfs smudge -- %f',
  'filter.lfs.process=git-lfs filter-process',
  'filter.lfs.required=true',
].flatMap((setting) => ['-c', setting]);

export interface LargeFileOptions {
  /** The address of the repository, which also serves its large files. */
  from: string | undefined;
  isRemote: boolean;
  roots: readonly string[];
  /** The cache of large files for later runs. */
  storage: string;
  git: GitOptions;
  log: (line: string) => void;
}

/**
 * Replaces the pointers of Git LFS by their files. If git-lfs is not installed, the log gets a warning and the pointers
 * stay.
 * @returns false if nothing was fetched
 * @throws PreparationError if a file cannot be fetched
 */
export const fetchLargeFiles = async (tree: string, options: LargeFileOptions): Promise<boolean> => {
  if (!(await hasLargeFiles(tree, options.git))) return false;
  if (findProgram('git-lfs', options.git.env.PATH ?? '') === undefined) {
    options.log(
      'The repository keeps files in Git LFS, and git-lfs is not installed on the runner: their pointers are not replaced.',
    );
    return false;
  }
  const failing = 'The files in Git LFS cannot be fetched';
  // The repository may name another address in this file. The runner and git-lfs read the file with the rights of the runner.
  const named = existsSync(join(tree, CONFIG))
    ? await gitConfigValues(
        ['config', '--file', insideCheckout(tree, CONFIG, 'The configuration')],
        'url$',
        options.git,
      )
    : [];
  for (const url of named) checkSubmoduleUrl('The address of files in Git LFS', url, options.isRemote, options.roots);
  if (options.from !== undefined) {
    await git(['-C', tree, 'remote', 'set-url', '--', 'origin', options.from], failing, options.git);
  }
  const env = { ...options.git.env, GIT_LFS_SKIP_SMUDGE: '0' };
  // As an argument, this setting would also apply to a local repository from which git-lfs fetches.
  await git(['-C', tree, 'config', 'lfs.storage', options.storage], failing, options.git);
  await git(['-C', tree, ...FILTER, 'lfs', 'pull', 'origin'], failing, {
    ...options.git,
    env,
  });
  return true;
};
