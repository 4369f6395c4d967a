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
  doc: 'What the playbook did, in few numbers: its plays, and how many hosts had which results.',
});

export const listTaskSteps = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/steps',
  permission: member(),
  params: TaskParams,
  query: z.object({ from, limit }),
  status: 200,
  answer: RunSteps,
  doc: 'The steps of the playbook in their order, with the counts of their results; 1,000 unless told.',
});

export const listTaskHosts = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/hosts',
  permission: member(),
  params: TaskParams,
  query: z.object({
    from,
    limit,
    sort: HostSort.optional().describe('Column to sort by; hosts with trouble come first unless told.'),
    order: z.enum(['asc', 'desc']).optional().describe('Direction; names ascending and counts descending unless told.'),
    outcome: HostOutcome.optional().describe('Only hosts with such a result.'),
    name: text(253).optional().describe('Only hosts whose name has this part.'),
    from_step: from.describe('Number of the first step that `cells` tells of.'),
    step_limit: countText(0, MAX_RESULT_PAGE)
      .optional()
      .describe('How many steps `cells` tells of at most; none unless told.'),
  }),
  status: 200,
  answer: RunHosts,
  doc: 'The hosts of a run with their counts, and a letter for each step; 100 unless told.',
});

export const listTaskFailures = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/failures',
  permission: member(),
  params: TaskParams,
  query: z.object({ from, limit }),
  status: 200,
  answer: HostRecords,
  doc: 'What failed or found a host unreachable and was not taken care of, in its order; 100 unless told. A page ends early at about 4 MB of text, but has one record at least.',
});

export const listTaskHostResults = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results/hosts/{host_number}',
  permission: member(),
  params: RunHostParams,
  query: z.object({
    step: countText(1, 999_999_999).optional().describe('Only of the step with this number.'),
    from,
    limit,
  }),
  status: 200,
  answer: HostRecords,
  doc: 'The results of one host of a run, in their order; 100 unless told. A page ends early at about 4 MB of text, but has one record at least.',
});
