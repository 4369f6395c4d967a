import { NOT_FINAL_STATUSES, type RunnerTask } from '@signalbox/contract';
import { sql } from 'kysely';
import type { StateReader } from '../../database/database.ts';

const LAST_TASKS = 20;

const selectTasks = (db: StateReader) =>
  db
    .selectFrom('task')
    .innerJoin('project', 'project.id', 'task.project_id')
    .select(['task.id', 'task.project_id', 'task.template_id', 'task.tpl_alias', 'task.status', 'task.created'])
    .select(['task.start_time as start', 'task.end_time as end', 'project.name as project_name']);

/** The last tasks of a runner that have ended. Reads the index `task_of_runner`, whose expression the condition repeats. */
export const lastTasksQuery = (db: StateReader, runnerId: number) =>
  selectTasks(db)
    .where(sql`coalesce(${sql.ref('task.runner_id')}, 0)`, '=', runnerId)
    .where('task.runner_id', 'is not', null)
    .where('task.status', 'not in', NOT_FINAL_STATUSES)
    .orderBy('task.id', 'desc')
    .limit(LAST_TASKS);

/** The tasks of a runner: those that have not ended, and the last ones that have. */
export const readRunnerTasks = async (
  db: StateReader,
  runnerId: number,
): Promise<{ readonly current_tasks: RunnerTask[]; readonly last_tasks: RunnerTask[] }> => {
  const current = await selectTasks(db)
    .where('task.runner_id', '=', runnerId)
    .where('task.status', 'in', NOT_FINAL_STATUSES)
    .orderBy(sql`${sql.ref('task.id')} + 0`, 'desc')
    .execute();
  return { current_tasks: current, last_tasks: await lastTasksQuery(db, runnerId).execute() };
};
