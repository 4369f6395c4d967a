import { FINAL_STATUSES } from '@signalbox/contract';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/queries/newest-of.ts';
import type { TemplateTable } from '../../database/schema.ts';

/**
 * How long ended tasks and their logs are kept: days (0 means forever), and a number of tasks that are kept
 * regardless of their age.
 */
export interface Retention {
  readonly tasksDays: number;
  readonly logsDays: number;
  readonly leastTasks: number;
}

export type KeepingTemplate = Pick<
  Selectable<TemplateTable>,
  'id' | 'project_id' | 'keep_tasks_days' | 'keep_logs_days' | 'keep_tasks_min'
>;

const DAY_MS = 24 * 3600 * 1000;

/** The settings of the template, or of the system where the template has none. */
export const retentionOf = (template: KeepingTemplate, system: Retention): Retention => ({
  tasksDays: template.keep_tasks_days ?? system.tasksDays,
  logsDays: template.keep_logs_days ?? system.logsDays,
  leastTasks: template.keep_tasks_min ?? system.leastTasks,
});

/** Tasks that ended before this time are expired; undefined when tasks are kept forever. */
export const cutoff = (days: number, now: Date): string | undefined =>
  days === 0 ? undefined : new Date(now.getTime() - days * DAY_MS).toISOString();

/** Id of the oldest task of a template that is kept regardless of its age; undefined when there are fewer tasks. */
const oldestKept = async (database: Database, templateId: number, least: number): Promise<number | undefined> => {
  const ended = database.read.selectFrom('task').select('id').where('status', 'in', FINAL_STATUSES);
  const row = await newestOf(database, ended, 'task', { template_id: templateId })
    .offset(least - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
};

/**
 * Maximum number of tasks of a template that start and end during one long task. The log of the long task is removed
 * after their logs.
 */
const MAX_OVERTAKEN = 1000;

/** The logs of tasks up to this id were removed, so neither they nor the tasks need to be read again. */
const lastWithoutLog = async (database: Database, templateId: number): Promise<number> => {
  const newest = await database.read
    .selectFrom('task')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('template_id', '=', templateId)
    .where('log_removed', '=', sql.lit(1))
    .executeTakeFirst();
  if (!newest?.id) return 0;
  const before = database.read
    .selectFrom('task')
    .select('id')
    .offset(MAX_OVERTAKEN - 1)
    .limit(1);
  const row = await newestOf(database, before, 'task', { template_id: templateId }, newest.id).executeTakeFirst();
  return row?.id ?? 0;
};

/**
 * Yields tasks of a template that ended before a time, oldest first, in pages, until a page has none. Leaves out
 * builds that are being deployed or wait for a deploy.
 */
export async function* expiredTasks(
  database: Database,
  what: 'task' | 'log',
  template: { readonly id: number; readonly least: number; readonly before: string },
  page: number,
): AsyncGenerator<number[]> {
  const edge = await oldestKept(database, template.id, template.least);
  if (edge === undefined) return;
  for (let after = what === 'log' ? await lastWithoutLog(database, template.id) : 0; ; ) {
    const rows = await database.read
      .selectFrom('task')
      .select('id')
      .select((eb) => eb.fn.coalesce('end_time', 'created').as('ended'))
      .where('template_id', '=', template.id)
      .where('id', '>', after)
      .where('id', '<', edge)
      .where('status', 'in', FINAL_STATUSES)
      .$if(what === 'log', (query) => query.where('log_removed', '=', 0))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('task as deploy')
              .select('deploy.id')
              .whereRef('deploy.build_task_id', '=', 'task.id')
              .where('deploy.status', 'not in', FINAL_STATUSES),
          ),
        ),
      )
      .orderBy('id')
      .limit(page)
      .execute();
    const expired = rows.filter(({ ended }) => ended < template.before);
    const last = rows.at(-1);
    // Ids are in order of time, except for long runs. Tasks after a page without expired tasks wait for the next
    // sweep.
    if (expired.length === 0 || !last) return;
    yield expired.map(({ id }) => id);
    after = last.id;
  }
}
