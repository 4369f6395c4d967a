import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, LineText, Moment, MomentText, OptionalId, text } from '../fields.ts';
import { Param } from '../messages/message.ts';
import { TaskStatus } from '../status.ts';
import { LaunchValues } from './launch-values.ts';
import { TemplateOutcomes } from './task.ts';

/** Five fields or a shortcut. The server checks the values, because it knows the time zones. */
export const CronFormat = text(255)
  .trim()
  .describe(
    'Minute, hour, day of the month, month, day of the week; or @hourly, @daily, @weekly, @monthly, @yearly; or @every and a duration such as 1h30m. ' +
      'CRON_TZ=Europe/Berlin before it sets the time zone of the schedule. Empty for a schedule with `run_at` or `interval_seconds`.',
  )
  .meta({ openapiFormat: 'cron' });

/** Shortest and longest interval, in seconds: one minute and a leap year. */
const MIN_INTERVAL = 60;
const MAX_INTERVAL = 366 * 86_400;

/** Longest random delay, in seconds. */
export const MAX_JITTER = 86_400;

/** What happens at a due time while the last task of the schedule still runs. */
export const Overlap = z.enum(['skip', 'queue', 'parallel']);
export type Overlap = z.infer<typeof Overlap>;

export const ScheduleType = z.enum(['cron', 'run_at', 'interval']);
export type ScheduleType = z.infer<typeof ScheduleType>;

const OVERLAP =
  'What happens at a due time while the last task of the schedule has not ended: `skip` starts no task, `queue` starts one that waits, `parallel` starts one that runs at the same time. ' +
  'Only templates that allow parallel tasks have `parallel`. Null: `parallel` if the template allows it, otherwise `queue`.';

/** The freeze window in which a schedule is due. */
const ScheduleFreeze = z.object({
  window_id: Id.describe('Id of the freeze window.'),
  name: z.string().describe('Name of the freeze window.'),
  reason: z.string().describe('Its reason.'),
  until: Moment.describe('When tasks may start again: the end of all freeze windows of the template.'),
  held: z.boolean().describe('Whether the run is held until then; false if the due time starts no task.'),
});

/** Why a schedule did not start its last task. */
const ScheduleProblem = z.object({
  time: Moment.describe('When the schedule should have started the task.'),
  kind: z.string().describe('The kind of the event that was recorded, such as `schedule.not_started`.'),
  params: z.record(z.string(), Param).describe('The parameters of that event.'),
  description: z.string().describe('What happened, in English.'),
});

export const Schedule = z.object({
  id: Id,
  project_id: Id,
  template_id: Id,
  type: ScheduleType.describe('Which of `cron_format`, `run_at` and `interval_seconds` decides the due times.'),
  cron_format: z.string(),
  run_at: Moment.nullable().describe('The only due time of a schedule that runs once.'),
  interval_seconds: z
    .int()
    .nullable()
    .describe('Seconds between two due times, counted from `starts_at`, or else from 1970.'),
  timezone: z.string().describe('Time zone of the cron.'),
  own_timezone: z
    .string()
    .nullable()
    .describe('The time zone that was set for this schedule; null for that of the server.'),
  starts_at: Moment.nullable().describe('No task starts before this time.'),
  ends_at: Moment.nullable().describe('No task starts after this time.'),
  overlap: Overlap.nullable().describe(OVERLAP),
  jitter_seconds: z.int().describe('Longest random delay of a start, in seconds.'),
  launch_values: LaunchValues.describe('What its tasks are started with, without secret answers.'),
  saved_launch_id: Id.nullable().describe('The saved launch that has these values; null for values of its own.'),
  secret_answers: z.array(z.string()).describe('Names of the stored secret answers of the survey.'),
  missing_answers: z
    .array(z.string())
    .describe('Titles of required variables of the survey without an answer, for which no task starts.'),
  repository_id: Id.nullable().describe('Starts a task only if the branch of this repository has a new commit.'),
  name: z.string(),
  active: z.boolean().describe('False while the schedule is paused.'),
  next_times: z.array(Moment).describe('The next 5 due times; empty while the schedule is paused.'),
  next_freezes: z
    .array(ScheduleFreeze.nullable())
    .describe('For each of `next_times`, the freeze window that holds or skips its run; null without one.'),
  next_start: Moment.nullable().describe(
    'When the next task starts: the next due time with its random delay, or the end of the freeze window that holds it; null without a due time.',
  ),
  freeze: ScheduleFreeze.nullable().describe('The freeze window that holds or skips the next run; null without one.'),
  last_fired: Moment.nullable().describe('When the schedule last started a task.'),
  problem: ScheduleProblem.nullable().describe(
    'Why the last due time failed to start a task; null if it started one or had no reason to.',
  ),
});
export type Schedule = z.infer<typeof Schedule>;

/** How the newest tasks of one schedule ended. */
export const ScheduleOutcomes = z.object({
  schedule_id: Id,
  tasks: TemplateOutcomes.shape.tasks.describe('The newest tasks that the schedule started, newest first.'),
});
export type ScheduleOutcomes = z.infer<typeof ScheduleOutcomes>;

/** A schedule in the list of all projects. */
export const NamedSchedule = Schedule.extend({
  project_name: z.string().describe('Name of the project.'),
  template_name: z.string().describe('Name of the template.'),
});
export type NamedSchedule = z.infer<typeof NamedSchedule>;

export const NewSchedule = z.object({
  template_id: Id,
  type: z
    .enum(['', ...ScheduleType.options])
    .nullish()
    .describe('Must name the field that is set: `cron`, `run_at` or `interval`. Default: that field.'),
  cron_format: CronFormat.default(''),
  run_at: MomentText.nullable().default(null).describe('The moment at which the schedule starts its only task.'),
  interval_seconds: z
    .int()
    .min(MIN_INTERVAL)
    .max(MAX_INTERVAL)
    .nullable()
    .default(null)
    .describe('Seconds between two due times, counted from `starts_at`, or else from 1970.'),
  own_timezone: text(64)
    .trim()
    .nullable()
    .default(null)
    .describe('Time zone of the cron, such as Europe/Berlin. Default: that of the server.'),
  starts_at: MomentText.nullable().default(null).describe('No task starts before this time.'),
  ends_at: MomentText.nullable().default(null).describe('No task starts after this time.'),
  overlap: Overlap.nullable().default(null).describe(OVERLAP),
  jitter_seconds: z
    .int()
    .min(0)
    .max(MAX_JITTER)
    .default(0)
    .describe('Delays each start by a random number of seconds, at most this one.'),
  launch_values: LaunchValues.nullish().describe(
    'What its tasks are started with. Replaces the stored values, except that secret answers which `environment` leaves out are kept; an empty text or null removes one.',
  ),
  saved_launch_id: OptionalId.default(null).describe(
    'A shared saved launch of the template, instead of `launch_values`. Later changes of it count too.',
  ),
  repository_id: OptionalId.default(null),
  name: LineText.default(''),
  active: z.boolean().default(true),
});

/** A task of a schedule in a week: one that it started, or one that it will start. */
export const ScheduleBlock = z.object({
  schedule_id: Id,
  time: Moment.describe('When the task started, or when it is or was due.'),
  seconds: z
    .number()
    .nullable()
    .describe(
      'How long it took, or usually takes: the median of the newest successful tasks of its template. Null if that is unknown.',
    ),
  task_id: Id.nullable().describe('The task that was started; null for a due time without one.'),
  status: TaskStatus.nullable().describe('Status of that task.'),
  state: z
    .enum(['started', 'planned', 'paused', 'not_started'])
    .describe(
      '`planned` for a due time in the future or a run that a freeze window holds, `paused` if the schedule is paused, `not_started` for its last due time if that started no task.',
    ),
  overlaps: Id.nullable().describe(
    'A schedule whose task would still run on the same inventory or template; null for none.',
  ),
  freeze: ScheduleFreeze.pick({ window_id: true, until: true, held: true })
    .nullable()
    .describe(
      'The freeze window that holds or skips this due time; null without one, and for other states than `planned`.',
    ),
});
export type ScheduleBlock = z.infer<typeof ScheduleBlock>;

const FreezeInWeek = z.object({
  window_id: Id.describe('Id of the freeze window.'),
  from: Moment.describe('When the window begins.'),
  to: Moment.describe('When the window ends.'),
});

/** Days that one answer covers at most: a week with a clock change is longer than seven times 24 hours. */
export const MAX_WEEK_DAYS = 8;

export const ScheduleWeek = z.object({
  blocks: z.array(ScheduleBlock).describe('In the order of their times.'),
  frequent: z
    .array(z.object({ schedule_id: Id, seconds: ScheduleBlock.shape.seconds }))
    .describe('Schedules with more than 28 due times in this time, which have no blocks.'),
  freezes: z
    .array(FreezeInWeek)
    .describe('Times of freeze windows in this time, in the order of their begin; at most 1000.'),
  more: z.boolean().describe('Whether later blocks were left out.'),
});
export type ScheduleWeek = z.infer<typeof ScheduleWeek>;

export const ScheduleChange = changeOf(NewSchedule.shape);
