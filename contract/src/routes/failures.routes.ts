import { z } from 'zod';
import {
  CommonCause,
  Failure,
  FailureChange,
  FailureClusters,
  FailureHosts,
  FailurePage,
  FailureTrend,
  NewFailureAssignment,
  OpenHosts,
} from '../entities/failure.ts';
import { MAX_RESULT_PAGE } from '../entities/run-results.ts';
import { countText, IdText, text } from '../fields.ts';
import { member, route } from '../route.ts';
import { FailureParams, FingerprintParams, ProjectParams, TaskParams } from './params.ts';

const from = countText(1, 999_999_999).optional();
const page = (max: number) => ({ from, limit: countText(1, max).optional() });

export const listFailureClusters = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/failures',
  permission: member(),
  params: TaskParams,
  query: z.object(page(100)),
  status: 200,
  answer: FailureClusters,
  doc: 'The failures of a task that the playbook did not rescue or ignore, as clusters of hosts with the same failure, the most hosts first. They grow while the task runs, and stay when its log is removed. Default limit: 20.',
});

export const listFailureHosts = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/failures/{fingerprint}/hosts',
  permission: member(),
  params: FingerprintParams,
  query: z.object({
    ...page(MAX_RESULT_PAGE),
    name: text(253).optional().describe('Only hosts whose name contains this text.'),
  }),
  status: 200,
  answer: FailureHosts,
  doc: 'The hosts of a failure cluster by name. Default limit: 100.',
});

export const listFailures = route({
  method: 'GET',
  path: '/project/{project_id}/failures',
  permission: member(),
  params: ProjectParams,
  query: z.object({
    ...page(100),
    trend: FailureTrend.optional().describe('Only failures with this trend.'),
    cause: CommonCause.optional().describe('Only failures with this cause.'),
    template_id: IdText.optional().describe('Only failures of tasks of this template.'),
    open: z.enum(['true', 'false']).optional().describe('Only failures that are not fixed, or only others.'),
    known: z.enum(['true', 'false']).optional().describe('Only failures that are known at the moment, or only others.'),
    search: text(200).optional().describe('Only failures whose title, step or note contains this text.'),
  }),
  status: 200,
  answer: FailurePage,
  doc: 'The failures of a project, the last seen first. Default limit: 50.',
});

export const getFailure = route({
  method: 'GET',
  path: '/project/{project_id}/failures/{failure_id}',
  permission: member(),
  params: FailureParams,
  status: 200,
  answer: Failure,
  changedByRuns: ['trend', 'template_id', 'hosts', 'open_hosts', 'days', 'seen', 'title'],
  doc: 'One failure.',
});

export const listOpenHosts = route({
  method: 'GET',
  path: '/project/{project_id}/failures/{failure_id}/hosts',
  permission: member(),
  params: FailureParams,
  query: z.object({
    ...page(MAX_RESULT_PAGE),
    template_id: IdText.optional().describe('Template whose hosts are wanted. Default: that of the failure.'),
  }),
  status: 200,
  answer: OpenHosts,
  doc: 'The hosts on which a failure is not fixed in a template, by name. Default limit: 100.',
});

export const updateFailure = route({
  method: 'PUT',
  path: '/project/{project_id}/failures/{failure_id}',
  permission: member('run_tasks'),
  callKind: 'everything',
  params: FailureParams,
  body: FailureChange,
  status: 204,
  answer: 'nothing',
  doc: 'Writes a note about a failure, or sets until when it is known.',
});

export const assignFailure = route({
  method: 'PUT',
  path: '/project/{project_id}/failures/{failure_id}/assignment',
  permission: member('run_tasks'),
  callKind: 'everything',
  params: FailureParams,
  body: NewFailureAssignment,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Takes a failure, or gives it to a member of the project. It ends when the failure is fixed, and is refused for such a failure.',
});

export const unassignFailure = route({
  method: 'DELETE',
  path: '/project/{project_id}/failures/{failure_id}/assignment',
  permission: member('run_tasks'),
  callKind: 'everything',
  params: FailureParams,
  status: 204,
  answer: 'nothing',
  doc: 'Gives a failure back: no one takes care of it. Does nothing if that is so already.',
});
