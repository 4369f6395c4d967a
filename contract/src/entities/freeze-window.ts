import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, Moment, MomentText, Name, OptionalId, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { CronFormat } from './schedule.ts';

/** Maximum number of freeze windows of a project. */
export const MAX_FREEZE_WINDOWS = 100;

/** Shortest and longest duration of a window that repeats, in seconds: one minute and 31 days. */
const MIN_DURATION = 60;
const MAX_DURATION = 31 * 86_400;

/** What a due time of a schedule does in a window. */
export const ScheduledRuns = z.enum(['hold', 'skip']);
export type ScheduledRuns = z.infer<typeof ScheduledRuns>;

const RUNS =
  'What schedules do in the window: `hold` starts the task at the end of the window, one for all due times of a schedule; `skip` starts none.';
const CRON = 'When a window that repeats begins; empty for a window that does not.';
const DURATION = 'Length of a window that repeats, in seconds; null for a window that does not.';
const FROM = 'Begin of a window that does not repeat.';
const TO = 'End of a window that does not repeat.';

/** A time in which tasks are not started. */
export const FreezeTime = z.object({
  from: Moment.describe('When the window begins.'),
  to: Moment.describe('When the window ends.'),
});
export type FreezeTime = z.infer<typeof FreezeTime>;

export const FreezeWindow = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  reason: z.string().describe('Why tasks are not started, for people who want to start one.'),
  template_id: Id.nullable().describe('The template that is frozen; null for another object or the whole project.'),
  inventory_id: Id.nullable().describe('The inventory whose tasks are frozen.'),
  label_id: Id.nullable().describe('The label whose templates are frozen.'),
  starts_at: Moment.nullable().describe(FROM),
  ends_at: Moment.nullable().describe(TO),
  cron_format: z.string().describe(CRON),
  duration_seconds: z.int().nullable().describe(DURATION),
  timezone: z.string().describe('Time zone of the cron.'),
  scheduled_runs: ScheduledRuns.describe(RUNS),
  current: FreezeTime.nullable().describe('The time of the window that is now or comes next; null when it is over.'),
});
export type FreezeWindow = z.infer<typeof FreezeWindow>;

export const NewFreezeWindow = z.object({
  name: Name,
  reason: text(1024).trim().min(1, fieldError('field.required')).describe('Why tasks are not started.'),
  template_id: OptionalId.default(null).describe('Freezes only this template.'),
  inventory_id: OptionalId.default(null).describe('Freezes only tasks on this inventory.'),
  label_id: OptionalId.default(null).describe('Freezes only templates with this label.'),
  starts_at: MomentText.nullable().default(null).describe(FROM),
  ends_at: MomentText.nullable().default(null).describe(TO),
  cron_format: CronFormat.default('').describe(CRON),
  duration_seconds: z.int().min(MIN_DURATION).max(MAX_DURATION).nullable().default(null).describe(DURATION),
  timezone: text(64)
    .trim()
    .default('')
    .describe('Time zone of the cron, such as Europe/Berlin. Default: that of the server.'),
  scheduled_runs: ScheduledRuns.default('hold').describe(RUNS),
});
export const FreezeWindowChange = changeOf(NewFreezeWindow.shape);
