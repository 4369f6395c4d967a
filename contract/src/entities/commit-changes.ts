import { z } from 'zod';
import { Id, Moment } from '../fields.ts';

/** Maximum number of commits and of files between two commits that are listed. */
export const MAX_LISTED_COMMITS = 100;
export const MAX_CHANGED_FILES = 300;
/** Maximum number of characters of an author and of a subject. */
export const MAX_AUTHOR = 200;
export const MAX_SUBJECT = 500;
/** Maximum bytes of differences in one answer. */
export const MAX_DIFF_BYTES = 256 * 1024;
/** Maximum number of characters of a path whose differences can be read. */
export const MAX_CHANGED_PATH = 1024;

/** The full hash of a commit. */
export const FullHash = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

const lines = z.int().nullable().describe('Number of lines; null for a file that is not text.');

export const ListedCommit = z.object({
  hash: z.string().describe('Full hash.'),
  author: z.string().describe('Name of its author.'),
  subject: z.string().describe('First line of its message.'),
  time: Moment.describe('When it was committed.'),
  of: z.enum(['earlier', 'later']).describe('Which of the two commits includes it; the other one does not.'),
});
export type ListedCommit = z.infer<typeof ListedCommit>;

export const ChangedFile = z.object({
  path: z.string().describe('Path in the repository.'),
  renamed_from: z.string().nullable().describe('Its earlier path; null if it was not renamed.'),
  change: z.enum(['added', 'changed', 'deleted', 'renamed']).describe('What happened to the file.'),
  added: lines,
  removed: lines,
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** What a repository has between two commits. */
export const CommitChanges = z.object({
  commits: z
    .array(ListedCommit)
    .describe(`The newest commits that only one side includes, at most ${MAX_LISTED_COMMITS}.`),
  commit_count: z.int().describe('Number of all such commits.'),
  files: z.array(ChangedFile).describe(`The files that differ, by path, at most ${MAX_CHANGED_FILES}.`),
  file_count: z.int().describe('Number of files that differ. Files beyond about 50,000 are not counted.'),
  shallow: z
    .boolean()
    .describe('Whether the repository has only a part of its history, so that commits can be missing.'),
});
export type CommitChanges = z.infer<typeof CommitChanges>;

/** The differences of files between two commits. */
export const RepositoryDiff = z.object({
  diff: z.string().describe('The differences in the unified format; empty if there are none.'),
  complete: z.boolean().describe(`False if they are longer than ${MAX_DIFF_BYTES} bytes: then the rest is missing.`),
});
export type RepositoryDiff = z.infer<typeof RepositoryDiff>;

/** The commits of two tasks of a template, and what the repository has between them. */
export const TaskCommits = CommitChanges.extend({
  other_id: Id.describe('Id of the other task.'),
  earlier: z.string().describe('Commit of the task that was created first.'),
  later: z.string().describe('Commit of the other one.'),
});
export type TaskCommits = z.infer<typeof TaskCommits>;
