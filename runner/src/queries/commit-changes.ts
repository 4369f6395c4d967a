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
import { type GitOptions, git, gitError, tryGit } from '../git/git.ts';
import type { GitMirrors } from '../git/git-mirror.ts';
import { oneLineText } from '../git/one-line-text.ts';

type Compared = Extract<RunnerQuery, { ask: 'commit_changes' | 'repository_diff' }>;

const FAILING = 'The commits cannot be compared';
/** Maximum bytes of the list of changed files that are read: names of some 50,000 files. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
/** Latest time that a date can have, in seconds since 1970. A commit may contain any number. */
const MAX_SECONDS = 8.64e12;
/** A repository cannot make git start a program for its differences. */
const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '-l400'];

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

const timeOf = (seconds: string): string => {
  const time = Number(seconds);
  return new Date(time >= 0 && time <= MAX_SECONDS ? time * 1000 : 0).toISOString();
};

const listCommits = async (mirror: string, range: string, options: GitOptions): Promise<ListedCommit[]> => {
  // Author and subject come last: they are any text, also one with the separator.
  const format = '--format=%m%x1f%H%x1f%ct%x1f%an%x1f%s';
  const args = ['log', '-z', '--left-right', '--no-show-signature', `--max-count=${MAX_LISTED_COMMITS}`, format];
  const rows = (await git(['-C', mirror, ...args, range, '--'], FAILING, options)).split('\0');
  return rows.flatMap((row): ListedCommit[] => {
    const [side, hash, seconds, author = '', ...subject] = row.split('\x1f');
    if (hash === undefined || seconds === undefined) return [];
    return [
      {
        ...{ hash, author: oneLineText(author, MAX_AUTHOR), subject: oneLineText(subject.join(' '), MAX_SUBJECT) },
        time: timeOf(seconds),
        of: side === '<' ? 'earlier' : 'later',
      },
    ];
  });
};

const CHANGES: Readonly<Record<string, ChangedFile['change']>> = { A: 'added', D: 'deleted', R: 'renamed' };

/** Reads what `git diff --raw -z` prints. A last row that is not complete is left out. */
const parseFiles = (printed: string): ChangedFile[] => {
  const parts = printed.split('\0').slice(0, -1);
  const files: ChangedFile[] = [];
  for (let at = 0; parts[at]?.startsWith(':'); at += 1) {
    const letter = / ([A-Z])\d*$/.exec(parts[at] ?? '')?.[1] ?? '';
    const renamed_from = letter === 'R' ? (parts[++at] ?? '') : null;
    const path = parts[++at];
    if (path) files.push({ path, renamed_from, change: CHANGES[letter] ?? 'changed', added: null, removed: null });
  }
  return files;
};

/** Adds the numbers of lines that `git diff --numstat -z` prints. */
const withLines = (files: readonly ChangedFile[], printed: string): ChangedFile[] => {
  const parts = printed.split('\0');
  const lines = new Map<string, Pick<ChangedFile, 'added' | 'removed'>>();
  for (let at = 0; at < parts.length; at += 1) {
    const [, added, removed, name] = /^(\d+)\t(\d+)\t(.*)$/s.exec(parts[at] ?? '') ?? [];
    // The name of a renamed file follows in two parts of its own.
    const path = name === '' ? (parts[at + 2] ?? '') : name;
    if (path !== undefined) lines.set(path, { added: Number(added), removed: Number(removed) });
  }
  return files.map((file) => ({ ...file, ...lines.get(file.path) }));
};

/** The first files that differ, with their numbers of lines, and how many there are. */
const listFiles = async (
  mirror: string,
  { earlier, later }: Compared,
  options: GitOptions,
): Promise<Pick<CommitChanges, 'files' | 'file_count'>> => {
  const diff = async (kind: string, paths: readonly string[]): Promise<string> => {
    const args = ['--literal-pathspecs', '-C', mirror, 'diff', kind, '-z', ...PLAIN, earlier, later, '--', ...paths];
    return await git(args, FAILING, options, { maxOutput: MAX_LIST_BYTES });
  };
  const all = parseFiles(await diff('--raw', []));
  const files = all.slice(0, MAX_CHANGED_FILES);
  const paths = files.flatMap(({ path, renamed_from }) => (renamed_from === null ? [path] : [renamed_from, path]));
  return { files: paths.length === 0 ? [] : withLines(files, await diff('--numstat', paths)), file_count: all.length };
};

/** The commits and files between two commits. */
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
    return {
      ...{ commits, commit_count: Number(count) },
      ...(await listFiles(mirror, query, options)),
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
    const end = await tryGit(args, options, { maxOutput: MAX_DIFF_BYTES + 1 });
    if (end.code !== 0) throw gitError(FAILING, end, options);
    if (end.stdoutBytes <= MAX_DIFF_BYTES) return { diff: end.stdout, complete: true };
    return { diff: end.stdout.slice(0, end.stdout.lastIndexOf('\n') + 1), complete: false };
  });
