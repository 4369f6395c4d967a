import { z } from 'zod';
import { Moment } from '../fields.ts';

const KeepDays = z.int().min(0).max(36_500).nullable();

/** How long tasks are kept. Null in a template means the setting of its project, null in a project that of the system. */
export const Retention = {
  keep_tasks_days: KeepDays.describe(
    'Days after which ended tasks are deleted with their results; 0 for never. Null in a template for the setting of its project, and in a project for that of the system.',
  ),
  keep_logs_days: KeepDays.describe(
    'Days that the logs of ended tasks are kept, 0 for as long as the tasks; their results stay. Null in a template for the setting of its project, and in a project for that of the system.',
  ),
  keep_tasks_min: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .describe(
      'Number of newest ended tasks of each template that are kept with their logs regardless of their age. Null in a template for the setting of its project, and in a project for that of the system.',
    ),
};

export const RetentionSource = z.enum(['template', 'project', 'system']);
export type RetentionSource = z.infer<typeof RetentionSource>;

export const LogRemoval = z.object({
  at: Moment.describe('When the log was removed.'),
  days: z.int().describe('How many days logs were kept.'),
  set_by: RetentionSource.describe('Whose setting this was.'),
});
export type LogRemoval = z.infer<typeof LogRemoval>;
