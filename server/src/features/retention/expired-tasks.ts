import { FINAL_STATUSES } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { newestOf } from '../../database/queries/newest-of.ts';
import { protectedTasks, type UnfixedRuns } from './protected-tasks.ts';

/** Tasks that ended before this time are expired; undefined when tasks never expire. */
export const cutoff = (days: number, now: Date): string | undefined =>
  days === 0 ? undefined : new Date(now.getTime() - days * DAY_MS).toISOString();

/** What decides which tasks are removed. */
export interface RetentionSources {
  readonly database: Database;
  readonly unfixedRuns: UnfixedRuns;
}

/** Id of the oldest of the newest tasks of a template, which their number protects; undefined with fewer tasks. */
const oldestProtected = async (database: Database, templateId: number, least: number): Promise<number | undefined> => {
  const ended = database.read.selectFrom('task').select('id').where('status', 'in', FINAL_STATUSES);
  const row = await newestOf(database, ended, 'task', { template_id: templateId })
    .offset(least - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
};

/**
 * Yields tasks of a template that ended before a time, oldest first, in pages, until a page has none. Leaves out
 * builds that are being deployed or wait for a deploy, tasks that users keep, and protected tasks.
 */
export async function* expiredTasks(
  { database, unfixedRuns }: RetentionSources,
  what: 'task' | 'log',
  template: { readonly id: number; readonly least: number; readonly before: string },
  page: number,
): AsyncGenerator<number[]> {
  const edge = await oldestProtected(database, template.id, template.least);
  if (edge === undefined) return;
  const protectedIds = await protectedTasks(database, unfixedRuns, template.id);
  for (let after = 0; ; ) {
    const rows = await database.read
      .selectFrom('task')
      .select('id')
      .select((eb) => eb.fn.coalesce('end_time', 'created').as('ended'))
      .where('template_id', '=', template.id)
      .where('id', '>', after)
      .where('id', '<', edge)
      .where('status', 'in', FINAL_STATUSES)
      .where('kept', '=', 0)
      // A parameter would not lead to the index of the tasks with logs.
      .$if(what === 'log', (query) => query.where('log_removed', '=', sql.lit(0)))
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
    const ids = expired.map(({ id }) => id).filter((id) => !protectedIds.has(id));
    if (ids.length > 0) yield ids;
    after = last.id;
  }
}
