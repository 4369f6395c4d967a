import type { Task } from '@signalbox/contract';
import type { State } from '../../database/database.ts';

/** Tasks with the names that lists show beside them. */
const tasks = (db: State) =>
  db
    .selectFrom('task')
    .leftJoin('users', 'users.id', 'task.user_id')
    .leftJoin('task as build', 'build.id', 'task.build_task_id')
    .selectAll('task')
    .select(['users.name as user_name', 'build.version as build_version', 'build.message as build_message']);

type TaskRow = Awaited<ReturnType<ReturnType<typeof tasks>['execute']>>[number];

export const presentTask = (row: TaskRow): Task => ({
  id: row.id,
  project_id: row.project_id,
  template_id: row.template_id,
  status: row.status,
  message: row.message,
  version: row.version,
  tpl_type: row.tpl_type,
  tpl_alias: row.tpl_alias,
  tpl_playbook: row.tpl_playbook,
  build_task_id: row.build_task_id,
  build_task:
    row.build_task_id === null
      ? null
      : { id: row.build_task_id, version: row.build_version ?? '', message: row.build_message ?? '' },
  user_id: row.user_id,
  user_name: row.user_name ?? '',
  created: row.created,
  start: row.start_time,
  end: row.end_time,
  commit_hash: row.commit_hash,
  commit_message: row.commit_message,
  debug: row.debug === 1,
  dry_run: row.dry_run === 1,
  diff: row.diff === 1,
  arguments: row.arguments,
  environment: row.environment,
  limit: row.limit_hosts,
});

export interface TaskFilter {
  readonly projectId: number;
  readonly templateId?: number | undefined;
  readonly status?: Task['status'] | undefined;
  readonly userId?: number | undefined;
  /** Only tasks created at this moment or later, and before the other one. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only tasks older than the one with this id. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Tasks, newest first. */
export const listTasks = async (db: State, filter: TaskFilter): Promise<Task[]> => {
  let query = tasks(db).where('task.project_id', '=', filter.projectId);
  if (filter.templateId !== undefined) query = query.where('task.template_id', '=', filter.templateId);
  if (filter.status !== undefined) query = query.where('task.status', '=', filter.status);
  if (filter.userId !== undefined) query = query.where('task.user_id', '=', filter.userId);
  if (filter.before !== undefined) query = query.where('task.id', '<', filter.before);
  if (filter.from !== undefined) query = query.where('task.created', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('task.created', '<', filter.to);
  // A span of time is read from its end by the index on it; without one, ids are the order of time.
  if (filter.from !== undefined || filter.to !== undefined) query = query.orderBy('task.created', 'desc');
  return (await query.orderBy('task.id', 'desc').limit(filter.limit).execute()).map(presentTask);
};

export const findTask = async (db: State, projectId: number, taskId: number): Promise<Task | undefined> => {
  const row = await tasks(db).where('task.project_id', '=', projectId).where('task.id', '=', taskId).executeTakeFirst();
  return row && presentTask(row);
};

/** Some tasks by their ids, for the lists that show them beside something else. */
export const findTasks = async (db: State, ids: readonly number[]): Promise<Map<number, Task>> => {
  if (ids.length === 0) return new Map();
  const rows = await tasks(db).where('task.id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, presentTask(row)]));
};
