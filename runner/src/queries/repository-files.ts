import { opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RepositoryFiles } from '@signalbox/contract';
import { MAX_LISTED_DEPTH, MAX_LISTED_FILES, MAX_LISTED_PATH, type RepositorySource } from '@signalbox/contract/link';
import type { AccessedRepository } from '../git/checkout.ts';
import { type GitOptions, git } from '../git/git.ts';
import type { GitMirrors } from '../git/git-mirror.ts';
import { isInside } from '../git/repository-address.ts';
import { staysInside } from './tree-links.ts';

/** Maximum bytes of a tree that are read, and maximum number of links that are resolved. */
const MAX_TREE_BYTES = 4 * 1024 * 1024;
const MAX_LINKS = 1_000;
const MAX_LINK_BYTES = 4 * 1024 * 1024;
/** Maximum number of entries of a plain folder that are read. */
const MAX_ENTRIES = 50_000;

/** Numbers of paths and of links that are handled in one turn of the event loop, so that the runner is never blocked. */
const PATHS_PER_TURN = 2_000;
const LINKS_PER_TURN = 20;

/**
 * Paths that a user can select: short, near the top, with visible characters only, without spaces at their ends, and
 * not an option of a program.
 */
const isPickable = (path: string): boolean =>
  path.length <= MAX_LISTED_PATH &&
  path.split('/').length <= MAX_LISTED_DEPTH &&
  !path.startsWith('-') &&
  path === path.trim() &&
  !/[\p{Cc}\p{Cf}\uFFFD]/u.test(path);

/** If there are too many, those near the top are returned, where playbooks usually are. */
const listing = async (paths: readonly string[], isWhole: boolean): Promise<RepositoryFiles> => {
  const levels = Array.from({ length: MAX_LISTED_DEPTH }, (): string[] => []);
  for (const [index, path] of paths.entries()) {
    if (index % PATHS_PER_TURN === 0) await nextTurn();
    if (isPickable(path)) levels[path.split('/').length - 1]?.push(path);
  }
  const files: string[] = [];
  for (const level of levels) {
    const free = MAX_LISTED_FILES - files.length;
    files.push(...(level.length > free ? level.toSorted().slice(0, free) : level));
  }
  return { files: files.toSorted(), complete: isWhole && files.length === paths.length };
};

interface Tree {
  files: string[];
  /** The path of each link, and the object that contains its target. */
  links: [path: string, object: string][];
  isWhole: boolean;
}

const FAILING = 'The files of the repository cannot be listed';

const readTree = async (mirror: string, commit: string, options: GitOptions): Promise<Tree> => {
  const args = ['-C', mirror, 'ls-tree', '-r', '-z', '--full-tree', commit];
  const rows = (await git(args, FAILING, options, { maxOutput: MAX_TREE_BYTES })).split('\0');
  // A truncated listing has no final NUL; a complete one ends with an empty part.
  const isWhole = rows.pop() === '';
  const tree: Tree = { files: [], links: [], isWhole };
  for (const [index, row] of rows.entries()) {
    if (index % PATHS_PER_TURN === 0) await nextTurn();
    const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(row) ?? [];
    if (!mode || !object || !path) continue;
    if (mode === '120000') tree.links.push([path, object]);
    else if (mode.startsWith('100')) tree.files.push(path);
  }
  return tree;
};

/** The targets of links. Ends before the first link that cannot be read. */
const readTargets = async (
  mirror: string,
  links: Tree['links'],
  options: GitOptions,
): Promise<ReadonlyMap<string, string>> => {
  const asked = links.slice(0, MAX_LINKS);
  if (asked.length === 0) return new Map();
  const input = asked.map(([, object]) => `${object}\n`).join('');
  const call = { input, maxOutput: MAX_LINK_BYTES };
  const printed = Buffer.from(await git(['-C', mirror, 'cat-file', '--batch'], FAILING, options, call));
  const targets = new Map<string, string>();
  let at = 0;
  for (const [path, object] of asked) {
    const end = printed.indexOf('\n', at);
    const [, found, size] = /^([0-9a-f]+) blob (\d+)$/.exec(printed.toString('utf8', at, end)) ?? [];
    if (end < 0 || found !== object || size === undefined) break;
    targets.set(path, printed.toString('utf8', end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return targets;
};

const foldersOf = (files: readonly string[]): ReadonlySet<string> => {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
};

/** The files of a commit, without those of submodules and without links that lead out of it. */
export const listCommit = async (mirror: string, commit: string, options: GitOptions): Promise<RepositoryFiles> => {
  const tree = await readTree(mirror, commit, options);
  const targets = await readTargets(mirror, tree.links, options);
  const [files, folders] = [new Set(tree.files), foldersOf(tree.files)];
  const has = (path: string) => files.has(path) || folders.has(path);
  const inside: string[] = [];
  for (const [index, path] of [...targets.keys()].entries()) {
    if (index % LINKS_PER_TURN === 0) await nextTurn();
    options.signal.throwIfAborted();
    if (staysInside(path, targets, has)) inside.push(path);
  }
  return await listing([...tree.files, ...inside], tree.isWhole && tree.links.length <= MAX_LINKS);
};

/** The files of a plain folder, the nearest first, without links that lead out of it. */
export const listFolder = async (root: string, signal: AbortSignal): Promise<RepositoryFiles> => {
  const found: string[] = [];
  const folders = [''];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined && seen < MAX_ENTRIES; folder = folders.shift()) {
    const entries = await opendir(join(root, folder), { bufferSize: 256 }).catch(() => undefined);
    for await (const entry of entries ?? []) {
      signal.throwIfAborted();
      seen += 1;
      if (seen === MAX_ENTRIES) break;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== '.git') folders.push(path);
      else if (entry.isFile()) found.push(path);
      else if (entry.isSymbolicLink()) {
        const real = await realpath(join(root, path)).catch(() => undefined);
        if (real !== undefined && real !== root && isInside(root, real)) found.push(path);
      }
    }
  }
  return await listing(found, seen < MAX_ENTRIES);
};

/**
 * The paths of files in a repository, limited in number, depth and length. File contents are never read.
 * @throws PreparationError for the requester
 */
export const repositoryFiles = async (
  source: RepositorySource,
  repository: AccessedRepository,
  mirrors: GitMirrors,
): Promise<RepositoryFiles> => {
  const { address, from, options } = repository;
  if (address.type === 'folder') return await listFolder(address.path, options.signal);
  const { id, branch } = source;
  return await mirrors.read({ id, url: from, branch, commit: null }, options, ({ mirror, hash }) =>
    listCommit(mirror, hash, options),
  );
};
