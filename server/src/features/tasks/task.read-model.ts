import {
  type EndReasonCode,
  FINAL_STATUSES,
  isFinal,
  type LogRemoval,
  SYSTEM_ENVIRONMENT,
  type Task,
} from '@signalbox/contract';
import type { Database, StateReader } from '../../database/database.ts';
import { newestOf } from '../../database/queries/newest-of.ts';
import { describedEndReason } from '../../end-reason.ts';
import { readEnvironment } from '../../execution-environments.ts';
import { tagsOf } from '../../runner-needs.ts';
import { idsOfSpan } from './task-span.ts';

/** Tasks with the names that lists show. */
export const selectTasks = (db: StateReader) =>
  db
    .selectFrom('task')
    .leftJoin('users', 'users.id', 'task.user_id')
    .leftJoin('task as build', 'build.id', 'task.build_task_id')
    .leftJoin('runner', 'runner.id', 'task.runner_id')
    .selectAll('task')
    .select(['users.name as user_name', 'build.version as build_version', 'build.message as build_message'])
    .select(['runner.unreachable_since', 'runner.name as current_runner']);

type TaskRow = Awaited<ReturnType<ReturnType<typeof selectTasks>['execute']>>[number];

/** When and why the log of a task was removed; null if it exists, or the reason is unknown. */
export const logRemovalOf = ({
  log_removed_at: at,
  log_removed_days: days,
  log_removed_by: set_by,
}: Pick<TaskRow, 'log_removed_at' | 'log_removed_days' | 'log_removed_by'>): LogRemoval | null =>
  at === null || days === null || set_by === null ? null : { at, days, set_by };

export const presentTask = (row: TaskRow): Task => ({
  id: row.id,
  project_id: row.project_id,
  template_id: row.template_id,
  app: row.app,
  status: row.status,
  message: row.message,
  version: row.version,
  tpl_type: row.tpl_type,
  tpl_alias: row.tpl_alias,
  tpl_playbook: row.tpl_playbook,
  tpl_arguments: row.tpl_arguments,
  build_task_id: row.build_task_id,
  build_task:
    row.build_task_id === null
      ? null
      : { id: row.build_task_id, version: row.build_version ?? '', message: row.build_message ?? '' },
  user_id: row.user_id,
  user_name: row.user_name ?? row.deleted_user,
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
  tags: JSON.parse(row.tags) as string[],
  skip_tags: JSON.parse(row.skip_tags) as string[],
  verbosity: row.verbosity,
  forks: row.forks,
  inventory_id: row.inventory_id,
  environment_id: row.environment_id,
  // Empty for the default branch, which a task keeps that needs an approval.
  git_branch: row.git_branch || null,
  vaults: row.vaults === null ? null : (JSON.parse(row.vaults) as Task['vaults']),
  max_duration: row.max_duration,
  locks: JSON.parse(row.locks) as string[],
  lock_hosts: row.lock_hosts === 1,
  execution_environment: readEnvironment(row.execution_environment) ?? SYSTEM_ENVIRONMENT,
  runner_tags: tagsOf(row.runner_tags),
  priority: row.priority,
  end_reason: describedEndReason(row),
  runner_unreachable_since: isFinal(row.status) || row.status === 'waiting' ? null : row.unreachable_since,
  runner_id: row.status === 'waiting' ? null : row.runner_id,
  runner_name: row.status === 'waiting' ? '' : (row.current_runner ?? row.runner_name),
  schedule_id: row.schedule_id,
  schedule_name: row.schedule_name,
  webhook_id: row.webhook_id,
  token_name: row.token_name,
  webhook_name: row.webhook_name,
  freeze_window: row.freeze_window,
  freeze_reason: row.freeze_reason,
  approval: row.approval,
  approval_state: row.approval_state === 'pending' && row.status !== 'waiting' ? 'none' : row.approval_state,
  approval_starter: row.approval === 'none' ? null : row.approval_starter,
  approval_by: row.approval_by,
  approval_comment: row.approval_comment,
  log_removed: row.log_removed === 1,
  kept: row.kept === 1,
  log_removal: logRemovalOf(row),
  // Added afterwards to the tasks that run.
  ...{ expected_end: null, done_share: null, longer_than_usual: false, running_step: null, silent_hosts: null },
});

export interface TaskFilter {
  readonly projectId: number;
  readonly templateId?: number | undefined;
  readonly status?: Task['status'] | undefined;
  readonly endReason?: EndReasonCode | undefined;
  readonly userId?: number | undefined;
  /** Only tasks created at this moment or later, and before the other one. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only tasks older than the one with this id. */
  readonly before?: number | undefined;
  /** Only this task and newer ones. */
  readonly first?: number | undefined;
  /** Without the tasks of these templates. */
  readonly hidden?: ReadonlySet<number> | undefined;
  readonly limit: number;
}

/** The columns before the id in the index that answers a filter. */
const indexOf = ({ templateId, status, userId, projectId, endReason }: TaskFilter): Record<string, string | number> => {
  if (endReason !== undefined)
    return {
      end_reason: endReason,
      ...(templateId === undefined ? { project_id: projectId } : { template_id: templateId }),
    };
  if (templateId !== undefined && status !== undefined) return { status, template_id: templateId };
  if (templateId !== undefined) return { template_id: templateId };
  if (userId !== undefined) return { user_id: userId, project_id: projectId };
  return status === undefined ? { project_id: projectId } : { status, project_id: projectId };
};

/** Lists tasks, newest first. The cost depends on `limit`, not on the number of stored tasks. */
export const listTasksQuery = (database: Database, filter: TaskFilter) => {
  const index = indexOf(filter);
  const { projectId, templateId, userId, status, endReason, from, to, first } = filter;
  const found = newestOf(database, selectTasks(database.read), 'task', index, filter.before, first);
  return (
    found
      .$if(from !== undefined, (query) => query.where('task.created', '>=', from ?? ''))
      .$if(to !== undefined, (query) => query.where('task.created', '<', to ?? ''))
      // All tasks of a template belong to one project, so the project is checked once.
      .$if(templateId !== undefined, (query) =>
        query.where((eb) =>
          eb.exists(
            eb
              .selectFrom('template')
              .select('template.id')
              .where('template.id', '=', templateId ?? 0)
              .where('template.project_id', '=', projectId),
          ),
        ),
      )
      .$if(endReason !== undefined, (query) => query.where('task.status', 'in', FINAL_STATUSES))
      .$if(endReason !== undefined && !('end_reason' in index), (query) =>
        query.where('task.end_reason', '=', endReason ?? null),
      )
      .$if(userId !== undefined && !('user_id' in index), (query) => query.where('task.user_id', '=', userId ?? 0))
      .$if(status !== undefined && !('status' in index), (query) =>
        query.where('task.status', '=', status ?? 'waiting'),
      )
      .$if((filter.hidden?.size ?? 0) > 0, (query) =>
        query.where('task.template_id', 'not in', [...(filter.hidden ?? [])]),
      )
      .limit(filter.limit)
  );
};

/** @returns undefined if no task was created in the time span of the filter */
export const withIdsOfSpan = async (database: Database, filter: TaskFilter): Promise<TaskFilter | undefined> => {
  const { from, to, before } = filter;
  if (from === undefined && to === undefined) return filter;
  const { first, last } = await idsOfSpan(database.read, filter);
  if (first === undefined || last === undefined) return undefined;
  return { ...filter, first, before: Math.min(before ?? last + 1, last + 1) };
};

export const listTasks = async (database: Database, filter: TaskFilter): Promise<Task[]> => {
  const found = await withIdsOfSpan(database, filter);
  return found ? (await listTasksQuery(database, found).execute()).map(presentTask) : [];
};

export const findTask = async (db: StateReader, projectId: number, taskId: number): Promise<Task | undefined> => {
  const row = await selectTasks(db)
    .where('task.project_id', '=', projectId)
    .where('task.id', '=', taskId)
    .executeTakeFirst();
  return row && presentTask(row);
};

/** Finds tasks by id, for lists of other objects. */
export const findTasks = async (db: StateReader, ids: readonly number[]): Promise<Map<number, Task>> => {
  if (ids.length === 0) return new Map();
  const rows = await selectTasks(db).where('task.id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, presentTask(row)]));
};
