import { z } from 'zod';
import { Approval, Rejection } from '../entities/approval.ts';
import { QueuedTask } from '../entities/queued-task.ts';
import { Results } from '../entities/result.ts';
import {
  LogLines,
  LogMatches,
  LogRecord,
  MAX_LOG_LINES,
  MAX_STATISTICS_DAYS,
  NewTask,
  Task,
  TaskSorting,
  TaskStatistics,
  TemplateOutcomes,
} from '../entities/task.ts';
import { countText, IdText, MomentText, pageQuery, text } from '../fields.ts';
import { EndReasonCode } from '../messages/end-reasons.ts';
import { REFUSED_FOR_TASK } from '../refused-fields.ts';
import { member, route } from '../route.ts';
import { TaskStatus } from '../status.ts';
import { ProjectParams, TaskParams } from './params.ts';

export const createTask = route({
  method: 'POST',
  path: '/project/{project_id}/tasks',
  permission: member('run_tasks', 'run'),
  params: ProjectParams,
  body: NewTask,
  refuses: REFUSED_FOR_TASK,
  status: 201,
  answer: QueuedTask,
  errors: ['conflict'],
  doc: 'Creates a task of a template. It waits until a runner is free.',
});

export const listTasks = route({
  method: 'GET',
  path: '/project/{project_id}/tasks',
  permission: member(),
  params: ProjectParams,
  query: TaskSorting.extend({
    ...pageQuery(1000),
    before: IdText.optional().describe('Only tasks older than the one with this id.'),
    status: TaskStatus.optional(),
    end_reason: EndReasonCode.optional().describe('Only tasks that ended for this reason.'),
    template_id: IdText.optional(),
    user_id: IdText.optional(),
    from: MomentText.optional().describe('Only tasks created at this moment or later.'),
    to: MomentText.optional().describe('Only tasks created before this moment.'),
  }),
  paged: true,
  shared: true,
  status: 200,
  answer: z.array(Task),
  doc: 'The tasks of a project, newest first. Default limit: 1000.',
});

export const listLastTasks = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/last',
  permission: member(),
  params: ProjectParams,
  query: TaskSorting.extend(pageQuery(200)),
  paged: true,
  shared: true,
  status: 200,
  answer: z.array(Task),
  doc: 'The newest tasks of a project. Default limit: 200.',
});

export const listOutcomes = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/outcomes',
  permission: member(),
  params: ProjectParams,
  shared: true,
  status: 200,
  answer: z.array(TemplateOutcomes),
  doc: 'The statuses of the newest tasks of each template. Templates without tasks are omitted.',
});

export const getTaskStatistics = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/statistics',
  permission: member(),
  params: ProjectParams,
  query: z.object({
    days: countText(1, MAX_STATISTICS_DAYS).optional().describe('Number of days including today. Default: 14.'),
  }),
  shared: true,
  status: 200,
  answer: TaskStatistics,
  doc: 'Statistics of the last days: outcomes and durations of tasks, and the templates with the most tasks.',
});

export const getTask = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}',
  permission: member(),
  params: TaskParams,
  status: 200,
  answer: QueuedTask,
  doc: 'One task.',
});

export const deleteTask = route({
  method: 'DELETE',
  path: '/project/{project_id}/tasks/{task_id}',
  permission: member('update_project'),
  params: TaskParams,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Deletes a task that has ended, with its log.',
});

export const keepTask = route({
  method: 'PUT',
  path: '/project/{project_id}/tasks/{task_id}/keep',
  permission: member('edit_templates', 'edit'),
  params: TaskParams,
  body: z.object({ kept: z.boolean().describe('Whether retention leaves the task and its log.') }),
  status: 204,
  answer: 'nothing',
  doc: 'Keeps a task with its log whatever its age, or lets retention remove it again. Users can still delete it.',
});

export const stopTask = route({
  method: 'POST',
  path: '/project/{project_id}/tasks/{task_id}/stop',
  permission: member('stop_tasks', 'run'),
  params: TaskParams,
  body: z.object({ force: z.boolean().default(false) }).default({ force: false }),
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Stops a task. With `force` it is killed immediately.',
});

export const approveTask = route({
  method: 'POST',
  path: '/project/{project_id}/tasks/{task_id}/approve',
  permission: member('approve_tasks', 'approve'),
  params: TaskParams,
  body: Approval,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Lets a task start that waits for an approval.',
});

export const rejectTask = route({
  method: 'POST',
  path: '/project/{project_id}/tasks/{task_id}/reject',
  permission: member('approve_tasks', 'approve'),
  params: TaskParams,
  body: Rejection,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Stops a task that waits for an approval. Its end reason contains the comment.',
});

export const getTaskRecords = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/output',
  permission: member(),
  params: TaskParams,
  status: 200,
  answer: z.array(LogRecord).meta({ stream: true }),
  doc: 'The whole log as records, one per line.',
});

export const getTaskLines = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/lines',
  permission: member(),
  params: TaskParams,
  query: z.object({
    from: countText(1, 999_999_999).optional().describe('Number of the first line to return. Default: the last lines.'),
    limit: countText(1, MAX_LOG_LINES)
      .optional()
      .describe('Maximum number of lines. Default: 1000. A page of long lines has fewer.'),
  }),
  status: 200,
  answer: LogLines,
  doc: 'A range of lines of the log, or its end. A page ends early at about 4 MB of text, but has at least one line: continue after its last line.',
});

export const searchTaskLines = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/lines/search',
  permission: member(),
  params: TaskParams,
  query: z.object({
    text: text(200)
      .default('')
      .describe('The text to search for, without colours and case-insensitive. An empty text matches nothing.'),
    from: countText(1, 999_999_999).optional().describe('Number of the line to start at. Default: 1.'),
  }),
  status: 200,
  answer: LogMatches,
  doc: 'The lines of the log that contain a text. A long log takes several calls, each of which continues at `next` of the previous one.',
});

export const getTaskText = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/raw_output',
  permission: member(),
  params: TaskParams,
  status: 200,
  answer: { stream: 'text/plain' },
  doc: 'The whole log as plain text without colours. Lines that Signalbox wrote start with `[signalbox] `; a backslash is added before output lines that start like this. A log that was removed is one line about when and why.',
});

export const getTaskResults = route({
  method: 'GET',
  path: '/project/{project_id}/tasks/{task_id}/results',
  permission: member(),
  params: TaskParams,
  query: z.object({ from: countText(1, 999_999_999).optional(), limit: countText(1, 5000).optional() }),
  status: 200,
  answer: Results,
  doc: 'The plays, steps, host results and final counts of the playbook. Default limit: 2000. A page ends early at about 4 MB of text, but has at least one record: continue after its last record.',
});
