import { ACTIVE_STATUSES, type Task } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { TimedTask } from './run-progress.ts';

/** Number of running tasks whose end is computed for open pages. */
const MAX_TIMED = 500;

const query = (db: StateReader) =>
  db
    .selectFrom('task')
    .select(['id', 'project_id', 'template_id', 'status', 'start_time', 'limit_hosts', 'tags', 'skip_tags'])
    .select(['inventory_id', 'dry_run']);

type Row = Awaited<ReturnType<ReturnType<typeof query>['execute']>>[number];

const timed = (row: Row): TimedTask & Pick<Task, 'project_id'> => ({
  ...{ id: row.id, project_id: row.project_id, template_id: row.template_id, status: row.status },
  ...{ start: row.start_time, limit: row.limit_hosts, inventory_id: row.inventory_id, dry_run: row.dry_run === 1 },
  tags: JSON.parse(row.tags) as string[],
  skip_tags: JSON.parse(row.skip_tags) as string[],
});

/** Returns the tasks that run, the newest first. */
export const readTimedTasks = async (db: StateReader) =>
  (await query(db).where('status', 'in', ACTIVE_STATUSES).orderBy('id', 'desc').limit(MAX_TIMED).execute()).map(timed);

export const readTimedTask = async (db: StateReader, id: number) => {
  const row = await query(db).where('id', '=', id).executeTakeFirst();
  return row && timed(row);
};
