import { FINAL_STATUSES } from '@signalbox/contract';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/newest-of.ts';
import type { TemplateTable } from '../../database/schema.ts';

/** How long ended tasks and their logs are kept: days, 0 for ever; so many of the newest whatever their age. */
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

/** What a template says, else the system. */
export const retentionOf = (template: KeepingTemplate, system: Retention): Retention => ({
  tasksDays: template.keep_tasks_days ?? system.tasksDays,
  logsDays: template.keep_logs_days ?? system.logsDays,
  leastTasks: template.keep_tasks_min ?? system.leastTasks,
});

/** Before this moment is long enough ago; undefined when nothing ever is. */
export const cutoff = (days: number, now: Date): string | undefined =>
  days === 0 ? undefined : new Date(now.getTime() - days * DAY_MS).toISOString();

/** The oldest of the tasks of a template that are kept whatever their age; undefined when there are no others. */
const oldestKept = async (database: Database, templateId: number, least: number): Promise<number | undefined> => {
  const ended = database.read.selectFrom('task').select('id').where('status', 'in', FINAL_STATUSES);
  const row = await newestOf(database, ended, 'task', { template_id: templateId })
    .offset(least - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
};

/** So many tasks of a template may start and end while one of it goes on, whose log is then removed after theirs. */
const LOOK_BACK = 1000;

/** The logs of the tasks up to this one were removed: neither they nor the tasks need be looked at again. */
const lastWithoutLog = async (database: Database, templateId: number): Promise<number> => {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from task where template_id = ${templateId} and log_removed = 1`.execute(database.read);
  const newest = rows[0]?.id ?? undefined;
  if (newest === undefined) return 0;
  const before = database.read
    .selectFrom('task')
    .select('id')
    .offset(LOOK_BACK - 1)
    .limit(1);
  const row = await newestOf(database, before, 'task', { template_id: templateId }, newest).executeTakeFirst();
  return row?.id ?? 0;
};

/**
 * Tasks of a template that ended before a moment, oldest first, in pages, as far as there is one that did in each; not a
 * build that is being deployed or waits for it.
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
    // Ids are the order of time, but for runs that took long: what is younger than a whole page waits with it.
    if (expired.length === 0 || !last) return;
    yield expired.map(({ id }) => id);
    after = last.id;
  }
}
