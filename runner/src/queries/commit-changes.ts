import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedFile, CommitChanges, ListedCommit, RepositoryDiff } from '@signalbox/contract';
import {
  MAX_AUTHOR,
  MAX_CHANGED_FILES,
  MAX_DIFF_BYTES,
  MAX_LISTED_COMMITS,
  MAX_SUBJECT,
  type RunnerQuery,
} from '@signalbox/contract/link';
import { PreparationError } from '../errors/preparation-error.ts';
import type { AccessedRepository } from '../git/checkout.ts';
import { type GitOptions, git } from '../git/git.ts';
import type { GitMirrors } from '../git/git-mirror.ts';

type Compared = Extract<RunnerQuery, { ask: 'commit_changes' | 'repository_diff' }>;

const FAILING = 'The commits cannot be compared';
/** Maximum bytes of the list of changed files that are read. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
/** A repository cannot make git start a program for its differences. */
const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '-l400'];

const visible = (text: string, max: number): string =>
  text
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, max)
    .toWellFormed();

/**
 * Gives `work` a mirror that has both commits.
 * @throws PreparationError when the repository has no commits, or one of them was removed from it
 */
const withCommits = async <T>(
  { repository: { id }, earlier, later }: Compared,
  { address, from: url, options }: AccessedRepository,
  mirrors: GitMirrors,
  work: (mirror: string, options: GitOptions) => Promise<T>,
): Promise<T> => {
  if (address.type === 'folder')
    throw new PreparationError('repository', 'The local repository is a plain folder without commits.', {
      code: 'git.plain_folder',
      params: { repository: '' },
    });
  const source = { id, url, branch: '' };
  return await mirrors.read({ ...source, commit: later }, options, () =>
    mirrors.read({ ...source, commit: earlier }, options, ({ mirror }) => work(mirror, options)),
  );
};

const listCommits = async (mirror: string, range: string, options: GitOptions): Promise<ListedCommit[]> => {
  const format = '--format=%m%x1f%H%x1f%an%x1f%ct%x1f%s';
  const args = ['log', '-z', '--left-right', '--no-show-signature', `--max-count=${MAX_LISTED_COMMITS}`, format];
  const rows = (await git(['-C', mirror, ...args, range, '--'], FAILING, options)).split('\0');
  return rows.flatMap((row): ListedCommit[] => {
    const [side, hash, author = '', seconds, ...subject] = row.split('\x1f');
    if (hash === undefined || seconds === undefined) return [];
    return [
      {
        ...{ hash, author: visible(author, MAX_AUTHOR), subject: visible(subject.join(' '), MAX_SUBJECT) },
        time: new Date(Number(seconds) * 1000).toISOString(),
        of: side === '<' ? 'earlier' : 'later',
      },
    ];
  });
};

const CHANGES: Readonly<Record<string, ChangedFile['change']>> = { A: 'added', D: 'deleted', R: 'renamed' };

/** Reads what `git diff --raw --numstat -z` prints: a row for each file, and then the numbers of lines of each file. */
const parseFiles = (printed: string): ChangedFile[] => {
  const parts = printed.split('\0');
  const files = new Map<string, ChangedFile>();
  let at = 0;
  for (; parts[at]?.startsWith(':'); at += 1) {
    const letter = / ([A-Z])\d*$/.exec(parts[at] ?? '')?.[1] ?? '';
    const renamed_from = letter === 'R' ? (parts[++at] ?? '') : null;
    const path = parts[++at];
    if (path) files.set(path, { path, renamed_from, change: CHANGES[letter] ?? 'changed', added: null, removed: null });
  }
  for (; at < parts.length; at += 1) {
    const [, added, removed, name] = /^(\d+)\t(\d+)\t(.*)$/s.exec(parts[at] ?? '') ?? [];
    // The name of a renamed file follows in two parts of its own.
    const file = files.get(name === '' ? (parts[at + 2] ?? '') : (name ?? ''));
    if (file) files.set(file.path, { ...file, added: Number(added), removed: Number(removed) });
  }
  return [...files.values()];
};

/** The commits and files between two commits. Both lists are limited, their counts are not. */
export const commitChanges = (
  query: Extract<RunnerQuery, { ask: 'commit_changes' }>,
  repository: AccessedRepository,
  mirrors: GitMirrors,
): Promise<CommitChanges> =>
  withCommits(query, repository, mirrors, async (mirror, options) => {
    const { earlier, later } = query;
    const range = `${earlier}...${later}`;
    const commits = await listCommits(mirror, range, options);
    const count = await git(['-C', mirror, 'rev-list', '--count', range, '--'], FAILING, options);
    const diff = ['diff', '--raw', '--numstat', '-z', ...PLAIN, earlier, later, '--'];
    const files = parseFiles(await git(['-C', mirror, ...diff], FAILING, options, { maxOutput: MAX_LIST_BYTES }));
    return {
      ...{ commits, commit_count: Number(count) },
      ...{ files: files.slice(0, MAX_CHANGED_FILES), file_count: files.length },
      shallow: existsSync(join(mirror, 'shallow')),
    };
  });

/** The differences of one file, or of all, between two commits. Paths are never patterns. */
export const repositoryDiff = (
  query: Extract<RunnerQuery, { ask: 'repository_diff' }>,
  repository: AccessedRepository,
  mirrors: GitMirrors,
): Promise<RepositoryDiff> =>
  withCommits(query, repository, mirrors, async (mirror, options) => {
    const { earlier, later, paths } = query;
    const args = ['--literal-pathspecs', '-C', mirror, 'diff', ...PLAIN, earlier, later, '--', ...paths];
    const printed = await git(args, FAILING, options, { maxOutput: MAX_DIFF_BYTES + 1 });
    if (Buffer.byteLength(printed) <= MAX_DIFF_BYTES) return { diff: printed, complete: true };
    return { diff: printed.slice(0, printed.lastIndexOf('\n') + 1), complete: false };
  });
