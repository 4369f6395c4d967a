import { z } from 'zod';
import { Id, Moment } from '../fields.ts';
import { RetentionSource } from './retention.ts';
import { DiskSpace } from './system.ts';

/** Maximum number of templates or projects in one answer. */
export const MAX_STORAGE_ROWS = 200;

const Bytes = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const Count = z.int().min(0).max(2_147_483_647);

const Sizes = {
  tasks: Count.describe('Number of ended tasks.'),
  logs: Count.describe('Number of logs that exist.'),
  log_bytes: Bytes.describe('Size of these logs, compressed, in bytes.'),
  result_bytes: Bytes.describe('Size of the results, compressed, in bytes.'),
  written_per_day: Bytes.describe('Bytes that tasks wrote each day, on average over the last 30 days.'),
  growth_per_day: z
    .number()
    .describe(
      'Bytes by which they grow each day in the next 30 days: what is written, without what retention removes, if tasks write as much as in the last 30 days.',
    ),
};

const Totals = {
  ...Sizes,
  host_bytes: Bytes.nullable().describe(
    'Size of the facts and changes of hosts, in bytes. Null for a caller from whom templates are hidden.',
  ),
  measured: Moment.nullable().describe('When the sizes were measured, usually every hour; null if never.'),
};

/** How old sizes are. */
const Measurement = {
  outdated: z.boolean().describe('Whether one of the 50 newest tasks has ended and is not measured yet.'),
  next_sweep: Moment.nullable().describe(
    'When the server next removes what is expired, and then measures the sizes; null while it does.',
  ),
};

/** Where the logs of ended tasks are. */
export const LogPlacement = z.enum(['database', 'folder', 'bucket']);
export type LogPlacement = z.infer<typeof LogPlacement>;

export const TemplateStorage = z.object({
  template_id: Id,
  name: z.string(),
  ...Sizes,
  logs_days: z.int().describe('Days that its logs are kept; 0 for as long as the tasks.'),
  tasks_days: z.int().describe('Days that its tasks are kept; 0 for forever.'),
  tasks_min: z.int().describe('Number of its newest tasks that always stay.'),
  logs_set_by: RetentionSource.describe('Where `logs_days` is set.'),
});
export type TemplateStorage = z.infer<typeof TemplateStorage>;

export const ProjectStorage = z.object({
  ...Totals,
  ...Measurement,
  logs_in: LogPlacement.describe('Where logs of ended tasks are.'),
  templates: z.array(TemplateStorage).describe('The largest templates that the caller may see, by size.'),
  total: Count.describe('Number of templates that the caller may see.'),
});
export type ProjectStorage = z.infer<typeof ProjectStorage>;

/** What settings would remove in addition to the current ones. */
export const FreedStorage = z.object({
  tasks: Count.describe('Number of tasks that would be removed, with their results.'),
  logs: Count.describe('Number of logs that would be removed.'),
  bytes: Bytes.describe('Size of both in bytes. It is estimated from the measured ages.'),
  measured: Moment.nullable().describe('When the ages were measured; null if never.'),
  system: z
    .object({
      keep_tasks_days: z.int().describe('Days after which tasks are deleted; 0 for never.'),
      keep_logs_days: z.int().describe('Days that logs are kept; 0 for as long as the tasks.'),
      keep_tasks_min: z.int().describe('Number of newest tasks of each template that always stay.'),
    })
    .describe('The settings of the system, for what the project does not set.'),
  ...Measurement,
});
export type FreedStorage = z.infer<typeof FreedStorage>;

export const InstallationStorage = z.object({
  ...Totals,
  ...Measurement,
  logs_in: LogPlacement.describe('Where logs of ended tasks are.'),
  projects: z
    .array(z.object({ project_id: Id, name: z.string(), ...Totals }))
    .describe('The largest projects, by size.'),
  total: Count.describe('Number of projects.'),
  disk: DiskSpace.nullable().describe('The disk of the database; null if the database is on another machine.'),
  full_in_days: z
    .number()
    .nullable()
    .describe('Days until this disk is full at the current growth; null if this is more than ten years, or not known.'),
});
export type InstallationStorage = z.infer<typeof InstallationStorage>;
