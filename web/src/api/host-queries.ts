import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

const keyOf = (project: number, host: number) => [...queryKey.hosts(project), 'one', host] as const;

/** How often the page reads whether the host is silent, in milliseconds: no message reports it. */
const SILENT_POLL_MS = 15_000;

/** One host, with how each template last ended on it. */
export const hostQuery = (project_id: number, host_id: number) =>
  queryOptions({
    queryKey: keyOf(project_id, host_id),
    queryFn: ({ signal }) => call('getHost', { params: { project_id, host_id }, signal }),
    refetchInterval: SILENT_POLL_MS,
  });

/** Number of runs on a page. */
export const HOST_RUNS_PAGE = 20;

/** The runs on a host. Pages count from 0. */
export const hostRunsQuery = (project_id: number, host_id: number, page: number) =>
  queryOptions({
    queryKey: [...keyOf(project_id, host_id), 'runs', page],
    queryFn: ({ signal }) =>
      call('listHostRuns', {
        params: { project_id, host_id },
        query: { from: page * HOST_RUNS_PAGE + 1, limit: HOST_RUNS_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The failures that a host had. */
export const hostFailuresQuery = (project_id: number, host_id: number) =>
  queryOptions({
    queryKey: [...keyOf(project_id, host_id), 'failures'],
    queryFn: ({ signal }) => call('listHostFailures', { params: { project_id, host_id }, signal }),
  });

/** Number of changes on a page. */
export const HOST_CHANGES_PAGE = 20;

/** What the last runs changed on a host. Pages count from 0. */
export const hostChangesQuery = (project_id: number, host_id: number, page: number) =>
  queryOptions({
    queryKey: [...keyOf(project_id, host_id), 'changes', page],
    queryFn: ({ signal }) =>
      call('listHostChanges', {
        params: { project_id, host_id },
        query: { from: page * HOST_CHANGES_PAGE + 1, limit: HOST_CHANGES_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The facts of a host now and earlier. */
export const hostFactsQuery = (project_id: number, host_id: number) =>
  queryOptions({
    queryKey: [...keyOf(project_id, host_id), 'facts'],
    queryFn: ({ signal }) => call('listHostFacts', { params: { project_id, host_id }, signal }),
  });
