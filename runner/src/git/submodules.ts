import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PreparationError } from '../errors/preparation-error.ts';
import { type GitOptions, git, tryGit } from './git.ts';
import { insideCheckout } from './inside-checkout.ts';
import { parseRepositoryUrl, shownUrl } from './repository-address.ts';

/** Maximum depth of nested submodules. */
const MAX_DEPTH = 10;

/** The values of all git settings whose names match a pattern. */
export const gitConfigValues = async (
  args: readonly string[],
  pattern: string,
  options: GitOptions,
): Promise<string[]> => {
  const end = await tryGit([...args, '-z', '--get-regexp', pattern], options);
  return end.stdout
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice(entry.indexOf('\n') + 1));
};

/**
 * Checks a URL that a repository names itself, such as that of a submodule. Without this check a repository could read other
 * repositories to which its project has no access.
 * @param what the subject of the error message, such as "The submodule"
 * @throws PreparationError if the URL is not allowed
 */
export const checkSubmoduleUrl = (what: string, url: string, isRemote: boolean, roots: readonly string[]): void => {
  const refuse = (why: string) =>
    new PreparationError('repository', `${what} ${shownUrl(url)} is refused: ${why}`, {
      code: 'git.submodule_refused',
      params: { repository: '', address: shownUrl(url) },
    });
  let type: string;
  try {
    type = parseRepositoryUrl(url, roots).type;
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  if (type === 'demo' || (isRemote && type !== 'remote')) {
    throw refuse('a repository on another machine must not name a repository on this machine.');
  }
};

export interface SubmoduleOptions {
  /** The URL of the repository. Relative URLs of submodules are resolved against it, not against the mirror. */
  from: string;
  isRemote: boolean;
  roots: readonly string[];
  git: GitOptions;
  /** Called with each fetched working tree, and with whether it came from another machine. */
  onTree: (tree: string, isRemote: boolean) => Promise<void>;
}

/** Whether a submodule was fetched from another machine. If so, its own submodules must not be on this machine. */
const isFromAnotherMachine = async (submodule: string, { roots, git }: SubmoduleOptions): Promise<boolean> => {
  const urls = await gitConfigValues(['-C', submodule, 'config', '--local'], '^remote\\.origin\\.url$', git);
  return urls.length === 0 || urls.some((url) => parseRepositoryUrl(url, roots).type === 'remote');
};

/**
 * Fetches the submodules of a working tree, recursively.
 * @returns false if it has none
 * @throws PreparationError if a submodule cannot be fetched or is not allowed
 */
export const checkOutSubmodules = async (tree: string, options: SubmoduleOptions, depth = 0): Promise<boolean> => {
  if (!existsSync(join(tree, '.gitmodules'))) return false;
  if (depth >= MAX_DEPTH)
    throw new PreparationError('repository', `Submodules are nested deeper than ${MAX_DEPTH}.`, {
      code: 'git.submodules_nested',
      params: { repository: '' },
    });
  const inTree = (...args: string[]) => ['-C', tree, ...args];
  const errorMessage = 'The submodules cannot be fetched';
  if (depth === 0) {
    await git(inTree('remote', 'set-url', '--', 'origin', options.from), errorMessage, options.git);
  }
  await git(inTree('submodule', '--quiet', 'init'), errorMessage, options.git);
  for (const url of await gitConfigValues(inTree('config', '--local'), '^submodule\\..*\\.url$', options.git)) {
    checkSubmoduleUrl('The submodule', url, options.isRemote, options.roots);
  }
  await git(inTree('submodule', '--quiet', 'update'), errorMessage, options.git);
  const paths = inTree('config', '--file', join(tree, '.gitmodules'));
  for (const path of await gitConfigValues(paths, '^submodule\\..*\\.path$', options.git)) {
    if (!existsSync(join(tree, path, '.git'))) continue;
    const submodule = insideCheckout(tree, path, 'The submodule');
    const isRemote = options.isRemote || (await isFromAnotherMachine(submodule, options));
    await options.onTree(submodule, isRemote);
    await checkOutSubmodules(submodule, { ...options, isRemote }, depth + 1);
  }
  return true;
};
