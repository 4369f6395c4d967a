import type { ChangedFile } from '@signalbox/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

const keyOf = (project: number, task: number, other: number) =>
  [...queryKey.task(project, task), 'comparison', other] as const;

/** What is between two commits never changes, and a runner has to read it. */
const ONCE = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

/** The commits and files between the commits of two tasks. */
export const taskCommitsQuery = (project_id: number, task_id: number, other: number) =>
  queryOptions({
    queryKey: [...keyOf(project_id, task_id, other), 'commits'],
    queryFn: ({ signal }) =>
      call('listTaskCommits', { params: { project_id, task_id }, query: { with: other }, signal }),
    ...ONCE,
  });

/** The differences of one file between the commits of two tasks. */
export const taskDiffQuery = (project_id: number, task_id: number, other: number, file: ChangedFile) =>
  queryOptions({
    queryKey: [...keyOf(project_id, task_id, other), 'diff', file.path],
    queryFn: ({ signal }) =>
      call('getTaskDiff', {
        params: { project_id, task_id },
        query: { with: other, path: file.path, renamed_from: file.renamed_from ?? undefined },
        signal,
      }),
    ...ONCE,
  });

/** What an ended task was executed with. */
export const taskVersionsQuery = (project_id: number, task_id: number) =>
  queryOptions({
    queryKey: [...queryKey.task(project_id, task_id), 'versions'],
    queryFn: ({ signal }) => call('getTaskVersions', { params: { project_id, task_id }, signal }),
  });

/** The lines in which the logs of two tasks differ, in the batches that the server compares at once. */
export const logComparisonQuery = (project_id: number, task_id: number, other: number) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(project_id, task_id, other), 'log'],
    queryFn: ({ signal, pageParam }) =>
      call('compareTaskLogs', { params: { project_id, task_id }, query: { with: other, from: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last) => last.next ?? undefined,
  });
