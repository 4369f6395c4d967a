import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, LineText, Moment, OptionalId, text } from '../fields.ts';

/** Five fields or a shortcut. The server checks the values, because it knows the time zones. */
export const CronFormat = text(255)
  .trim()
  .describe(
    'Minute, hour, day of the month, month, day of the week; or @hourly, @daily, @weekly, @monthly, @yearly; or @every and a duration such as 1h30m. ' +
      'CRON_TZ=Europe/Berlin before it sets the time zone of the schedule.',
  )
  .meta({ openapiFormat: 'cron' });

export const Schedule = z.object({
  id: Id,
  project_id: Id,
  template_id: Id,
  cron_format: z.string(),
  timezone: z.string().describe('Time zone of the cron.'),
  repository_id: Id.nullable().describe('Starts a task only if the branch of this repository has a new commit.'),
  name: z.string(),
  active: z.boolean().describe('False while the schedule is paused.'),
  next_times: z.array(Moment).describe('The next 5 due times; empty while the schedule is paused.'),
  last_fired: Moment.nullable().describe('When the schedule last started a task.'),
});
export type Schedule = z.infer<typeof Schedule>;

export const NewSchedule = z.object({
  template_id: Id,
  cron_format: CronFormat,
  repository_id: OptionalId.default(null),
  name: LineText.default(''),
  active: z.boolean().default(true),
});

export const ScheduleChange = changeOf(NewSchedule.shape);
