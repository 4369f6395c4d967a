import { z } from 'zod';
import {
  HostOutcome,
  HostRecords,
  HostSort,
  MAX_RESULT_PAGE,
  RunHosts,
  RunSteps,
  RunSummary,
} from '../entities/run-results.ts';
import { MAX_TIMELINE_HOSTS, MAX_TIMELINE_STEPS, RunTimeline } from '../entities/run-timeline.ts';
import { RunVersions } from '../entities/run-versions.ts';
import { countText, text } from '../fields.ts';
import { member, route } from '../route.ts';
import { RunHostParams, TaskParams } from './params.ts';

const from = countText(1, 999_999_999).optional();
const limit = countText(1, MAX_RESULT_PAGE).optional();

export const getTaskSummary = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/summary',
  permission: member(),
  params: TaskParams,
  status: 200,
  answer: RunSummary,
  doc: 'Summary of the playbook: its plays, and the number of hosts by result.',
});

export const listTaskSteps = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/steps',
  permission: member(),
  params: TaskParams,
  query: z.object({ from, limit }),
  status: 200,
  answer: RunSteps,
  doc: 'The steps of the playbook in order, with the counts of their results. Default limit: 1000.',
});

export const listTaskHosts = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/hosts',
  permission: member(),
  params: TaskParams,
  query: z.object({
    from,
    limit,
    sort: HostSort.optional().describe('Column to sort by. Default: failed and unreachable hosts first.'),
    order: z
      .enum(['asc', 'desc'])
      .optional()
      .describe('Direction. Default: names and numbers ascending, counts descending.'),
    outcome: HostOutcome.optional().describe('Only hosts with this result.'),
    name: text(253).optional().describe('Only hosts whose name contains this text.'),
    after: countText(0, 999_999_999)
      .optional()
      .describe('Only hosts with a result whose number is higher, such as the `results` of an earlier summary.'),
    from_step: from.describe('Number of the first step in `cells`.'),
    step_limit: countText(0, MAX_RESULT_PAGE).optional().describe('Maximum number of steps in `cells`. Default: none.'),
  }),
  status: 200,
  answer: RunHosts,
  doc: 'The hosts of a run with their counts and a letter for each step. Default limit: 100.',
});

export const getTaskTimeline = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/timeline',
  permission: member(),
  params: TaskParams,
  query: z.object({
    from,
    limit: countText(1, MAX_TIMELINE_HOSTS).optional(),
    from_step: from.describe('Number of the first step.'),
    step_limit: countText(1, MAX_TIMELINE_STEPS).optional().describe('Maximum number of steps. Default: 200.'),
  }),
  status: 200,
  answer: RunTimeline,
  doc: 'Which host of a run worked on which step when, and who waited for whom. The hosts for which the others waited longest come first. Default limit: 50 hosts.',
});

export const listTaskFailures = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/failures',
  permission: member(),
  params: TaskParams,
  query: z.object({ from, limit }),
  status: 200,
  answer: HostRecords,
  doc: 'The failed and unreachable results that the playbook did not rescue or ignore, in order. Default limit: 100. A page ends early at about 4 MB of text, but has at least one record.',
});

export const listTaskHostResults = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/hosts/{host_number}',
  permission: member(),
  params: RunHostParams,
  query: z.object({
    step: countText(1, 999_999_999).optional().describe('Only results of the step with this number.'),
    from,
    limit,
  }),
  status: 200,
  answer: HostRecords,
  doc: 'The results of one host of a run, in order. Default limit: 100. A page ends early at about 4 MB of text, but has at least one record.',
});

export const getTaskVersions = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/versions',
  permission: member(),
  params: TaskParams,
  status: 200,
  answer: z.object({
    versions: RunVersions.nullable().describe('Null before the task ends, and if they are unknown.'),
  }),
  doc: 'What a task was executed with: the versions of Ansible, Python, collections and roles, and the digest of the image.',
});
