import { z } from 'zod';
import { MAX_CHANGED_PATH, RepositoryDiff, TaskCommits } from '../entities/commit-changes.ts';
import { LogComparison } from '../entities/log-comparison.ts';
import { MAX_RESULT_PAGE } from '../entities/run-results.ts';
import { TaskComparison } from '../entities/task-comparison.ts';
import { countText, IdText, text } from '../fields.ts';
import { member, route } from '../route.ts';
import { TaskParams } from './params.ts';

const comparedWith = IdText.optional().describe(
  'Another task of its template. Default: the last earlier one that succeeded and was no dry run.',
);

const path = text(MAX_CHANGED_PATH).min(1);

export const compareTask = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/comparison',
  permission: member(),
  params: TaskParams,
  query: z.object({
    with: comparedWith,
    different: z.enum(['true', 'false']).optional().describe('`true` for only the steps that differ or are slower.'),
    from: countText(1, 999_999_999).optional(),
    limit: countText(1, MAX_RESULT_PAGE).optional(),
  }),
  status: 200,
  answer: TaskComparison,
  doc: 'What differs between a task and another one of its template. The one that was created first is the earlier one. Only the first 5,000 steps of a run are compared. Default limit: 1000 steps.',
});

export const listTaskCommits = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/comparison/commits',
  permission: member('read_repositories'),
  params: TaskParams,
  query: z.object({ with: comparedWith }),
  status: 200,
  answer: TaskCommits,
  errors: ['conflict', 'unavailable'],
  doc: "The commits and files between the commits of a task and another one of its template, read by a runner. 409 if a task has no commit or the repository can't be read, with the reason.",
});

export const getTaskDiff = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/comparison/diff',
  permission: member('read_repositories'),
  params: TaskParams,
  query: z.object({
    with: comparedWith,
    path: path.optional().describe('Path of one file in the repository. Default: every file that differs.'),
    renamed_from: path.optional().describe('Its earlier path, if it was renamed.'),
  }),
  status: 200,
  answer: RepositoryDiff,
  errors: ['conflict', 'unavailable'],
  doc: "The differences of one file, or of all, between the commits of a task and another one of its template, read by a runner. 409 if a task has no commit or the repository can't be read, with the reason.",
});

export const compareTaskLogs = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/comparison/log',
  permission: member(),
  params: TaskParams,
  query: z.object({
    with: comparedWith,
    from: countText(1, 999_999).optional().describe('Number of the first part. Default: 1.'),
  }),
  status: 200,
  answer: LogComparison,
  errors: ['conflict'],
  doc: 'The lines in which the logs of a task and of another one of its template differ, by step. Times, names of hosts and numbers do not count. One call compares about 50,000 lines, and answers where the next call continues.',
});
