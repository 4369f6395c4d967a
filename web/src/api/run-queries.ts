import type { FailureCluster } from '@signalbox/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { failureCauses } from '../lang/failure-causes.ts';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

/** The failures of a long run that are shown. `known` is the number of failures so far. */
const FAILURES = 200;

export const taskFailuresQuery = (project_id: number, task_id: number, known: number) =>
  queryOptions({
    queryKey: [...queryKey.task(project_id, task_id), 'failures', Math.min(known, FAILURES + 1)],
    queryFn: ({ signal }) =>
      call('listTaskFailures', { params: { project_id, task_id }, query: { limit: FAILURES }, signal }),
    placeholderData: keepPreviousData,
  });

/** What differs from another task of the template, by default the last success. Only steps that differ, or all. */
export const comparisonQuery = (project_id: number, task_id: number, other: number | undefined, different: boolean) =>
  queryOptions({
    queryKey: [...queryKey.task(project_id, task_id), 'comparison', other, different],
    queryFn: ({ signal }) =>
      call('compareTask', {
        params: { project_id, task_id },
        query: { with: other, different: different ? 'true' : undefined },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The counts of a run's plays and hosts. */
export const taskSummaryQuery = (project_id: number, task_id: number) =>
  queryOptions({
    queryKey: [...queryKey.task(project_id, task_id), 'summary'],
    queryFn: ({ signal }) => call('getTaskSummary', { params: { project_id, task_id }, signal }),
  });

/** Which hosts and steps of a timeline are loaded. */
export interface TimelineQuery {
  readonly from: number;
  readonly limit: number;
  readonly from_step: number;
  readonly step_limit: number;
}

/** One page of the timeline of a run. `version` increases with the results. */
export const timelineQuery = (project_id: number, task_id: number, version: number, query: TimelineQuery) =>
  queryOptions({
    queryKey: [...queryKey.task(project_id, task_id), 'timeline', query, version],
    queryFn: ({ signal }) => call('getTaskTimeline', { params: { project_id, task_id }, query, signal }),
    gcTime: 10_000,
  });

/** Where the time of the runs of a template goes. */
export const templateTimesQuery = (project_id: number, template_id: number) =>
  queryOptions({
    queryKey: [...queryKey.template(project_id, template_id), 'times'],
    queryFn: ({ signal }) => call('getTemplateTimes', { params: { project_id, template_id }, signal }),
  });

/** The result of one host and step of a long run. */
export const taskCellQuery = (project_id: number, task_id: number, host_number: number, step: number) =>
  queryOptions({
    queryKey: [...queryKey.task(project_id, task_id), 'cell', host_number, step],
    queryFn: ({ signal }) =>
      call('listTaskHostResults', { params: { project_id, task_id, host_number }, query: { step }, signal }),
  });

/** Maximum number of clusters in one response. */
const CLUSTERS = 100;

/** Which clusters of failures are loaded. `version` changes with each failure. */
export interface ClustersQuery {
  readonly limit: number;
  readonly version: string;
}

/** The failures of a task in clusters. Notes and counts change with other tasks of the project. */
export const clustersQuery = (project_id: number, task_id: number, { limit, version }: ClustersQuery) =>
  queryOptions({
    queryKey: [...queryKey.failures(project_id), 'task', task_id, limit, version],
    queryFn: async ({ signal }) => {
      await failureCauses.load();
      const params = { project_id, task_id };
      const clusters: FailureCluster[] = [];
      for (;;) {
        const query = { from: clusters.length + 1, limit: Math.min(CLUSTERS, limit - clusters.length) };
        const page = await call('listFailureClusters', { params, query, signal });
        clusters.push(...page.clusters);
        if (page.clusters.length < query.limit || clusters.length >= limit) return { ...page, clusters };
      }
    },
    placeholderData: keepPreviousData,
  });
