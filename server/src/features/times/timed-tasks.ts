import { ACTIVE_STATUSES, type Task } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { TimedTask } from './run-progress.ts';

/** Number of running tasks whose end is computed for open pages. */
const MAX_TIMED = 500;

const query = (db: StateReader) =>
  db
    .selectFrom('task')
    .innerJoin('project', 'project.id', 'task.project_id')
    .select(['task.id', 'project_id', 'template_id', 'status', 'start_time', 'limit_hosts', 'tags', 'skip_tags'])
    .select(['inventory_id', 'dry_run', 'alert', 'alert_silent_hosts']);

type Row = Awaited<ReturnType<ReturnType<typeof query>['execute']>>[number];

/** A running task, and whether alerts about its silent hosts are sent. */
type AlertedTask = TimedTask & Pick<Task, 'project_id'> & { readonly isAlerted: boolean };

const timed = (row: Row): AlertedTask => ({
  ...{ id: row.id, project_id: row.project_id, template_id: row.template_id, status: row.status },
  ...{ start: row.start_time, limit: row.limit_hosts, inventory_id: row.inventory_id, dry_run: row.dry_run === 1 },
  tags: JSON.parse(row.tags) as string[],
  skip_tags: JSON.parse(row.skip_tags) as string[],
  isAlerted: row.alert === 1 && row.alert_silent_hosts === 1,
});

/** Returns the tasks that run, the newest first: all, or those about whose silent hosts alerts are sent. */
export const readTimedTasks = async (db: StateReader, which: 'all' | 'alerted') => {
  const running = query(db).where('status', 'in', ACTIVE_STATUSES);
  const chosen = which === 'all' ? running : running.where('alert', '=', 1).where('alert_silent_hosts', '=', 1);
  return (await chosen.orderBy('task.id', 'desc').limit(MAX_TIMED).execute()).map(timed);
};

export const readTimedTask = async (db: StateReader, id: number) => {
  const row = await query(db).where('task.id', '=', id).executeTakeFirst();
  return row && timed(row);
};
