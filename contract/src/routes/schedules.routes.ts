import { z } from 'zod';
import {
  CronFormat,
  MAX_WEEK_DAYS,
  NamedSchedule,
  NewSchedule,
  Schedule,
  ScheduleChange,
  ScheduleOutcomes,
  ScheduleWeek,
} from '../entities/schedule.ts';
import { MomentText } from '../fields.ts';
import { REFUSED_FOR_SCHEDULE } from '../refused-fields.ts';
import { member, route, signedIn } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { ProjectParams, ScheduleParams, TemplateParams } from './params.ts';

const Sorted = sortedBy('name', 'template', 'cron_format', 'active', 'next_time', 'last_fired');

export const listAllSchedules = route({
  method: 'GET',
  path: '/schedules',
  permission: signedIn,
  status: 200,
  answer: z.array(NamedSchedule),
  doc: 'The schedules of the projects of the caller, by project and name; of all projects for a system admin.',
});

export const listSchedules = route({
  method: 'GET',
  path: '/project/{project_id}/schedules',
  permission: member(),
  params: ProjectParams,
  query: Sorted,
  status: 200,
  answer: z.array(Schedule),
  doc: 'The schedules of a project by name, each with its next due times.',
});

export const listScheduleOutcomes = route({
  method: 'GET',
  path: '/project/{project_id}/schedules/outcomes',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(ScheduleOutcomes),
  doc: 'The statuses of the newest tasks of each schedule. Schedules without tasks are omitted.',
});

export const getScheduleWeek = route({
  method: 'GET',
  path: '/project/{project_id}/schedules/week',
  permission: member(),
  params: ProjectParams,
  query: z.object({
    from: MomentText.optional().describe('Begin of the time, such as the first midnight of a week. Default: now.'),
    to: MomentText.optional().describe(`End of the time, at most ${MAX_WEEK_DAYS} days later. Default: 7 days later.`),
  }),
  status: 200,
  answer: ScheduleWeek,
  doc: 'The tasks that schedules started and will start in a week, with their durations, and the due times of paused schedules.',
});

export const listTemplateSchedules = route({
  method: 'GET',
  path: '/project/{project_id}/templates/{template_id}/schedules',
  permission: member(),
  params: TemplateParams,
  query: Sorted,
  status: 200,
  answer: z.array(Schedule),
  doc: 'The schedules of one template by name, each with its next due times.',
});

export const createSchedule = route({
  method: 'POST',
  path: '/project/{project_id}/schedules',
  permission: member('edit_schedules'),
  params: ProjectParams,
  body: NewSchedule,
  refuses: REFUSED_FOR_SCHEDULE,
  status: 201,
  answer: Schedule,
  errors: ['conflict'],
  doc: 'Creates a schedule that starts tasks of a template. Exactly one of `cron_format`, `run_at` and `interval_seconds` decides when.',
});

export const validateSchedule = route({
  method: 'POST',
  path: '/project/{project_id}/schedules/validate',
  permission: member('edit_schedules'),
  params: ProjectParams,
  body: z.object({ cron_format: CronFormat }),
  status: 204,
  answer: 'nothing',
  doc: 'Validates a cron expression. 400 if it is not valid, with the reason.',
});

export const getSchedule = route({
  method: 'GET',
  path: '/project/{project_id}/schedules/{schedule_id}',
  permission: member(),
  params: ScheduleParams,
  status: 200,
  answer: Schedule,
  changedByRuns: ['next_times', 'next_freezes', 'next_start', 'freeze', 'last_fired', 'problem'],
  doc: 'One schedule with its next due times. Its ETag covers only what users can change.',
});

export const updateSchedule = route({
  method: 'PUT',
  path: '/project/{project_id}/schedules/{schedule_id}',
  permission: member('edit_schedules'),
  params: ScheduleParams,
  body: ScheduleChange,
  refuses: REFUSED_FOR_SCHEDULE,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a schedule. `active` false pauses it. After it is resumed or its times change, only future due times count. To change a cron into a moment or an interval, send null for the cron.',
});

export const deleteSchedule = route({
  method: 'DELETE',
  path: '/project/{project_id}/schedules/{schedule_id}',
  permission: member('edit_schedules'),
  params: ScheduleParams,
  status: 204,
  answer: 'nothing',
  doc: 'Deletes a schedule. The tasks that it started are kept.',
});
