import { type ActiveTask, NOT_FINAL_STATUSES, type Task } from '@signalbox/contract';
import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { type CallersProjects, holdsOn } from '../../http/calls/callers-projects.ts';
import { presentTask, selectTasks } from './task.read-model.ts';
import type { AddExpectations } from './task-expectation.ts';
import { queued, type ReadWaiting, waitingIds } from './task-waiting.ts';

/** The templates of these projects that the caller must not see. */
const hiddenOf = (projects: CallersProjects): number[] =>
  [...(projects?.values() ?? [])].flatMap((project) => [...project.hidden]);

/**
 * The tasks that have not ended, newest first. They are few among many: the order is that of an expression, so that
 * the database uses the index on the status instead of reading all tasks in the order of their ids.
 */
export const activeTasksQuery = ({ read }: Database, projects: CallersProjects, limit: number) => {
  const hidden = hiddenOf(projects);
  return selectTasks(read)
    .innerJoin('project', 'project.id', 'task.project_id')
    .select('project.name as project_name')
    .where('task.status', 'in', NOT_FINAL_STATUSES)
    .$if(projects !== undefined, (query) => query.where('task.project_id', 'in', [...(projects?.keys() ?? [])]))
    .$if(hidden.length > 0, (query) => query.where('task.template_id', 'not in', hidden))
    .orderBy(sql`${sql.ref('task.id')} + 0`, 'desc')
    .limit(limit);
};

/** Whether a task waits for an approval that its rules let a user give. */
const waitsForApprovalOf = ({ status, approval, approval_state, approval_starter }: Task, userId: number): boolean =>
  status === 'waiting' && approval_state === 'pending' && (approval !== 'other' || approval_starter !== userId);

/** Lists the tasks that have not ended in the projects of a caller, newest first. */
export const listActiveTasks = async (
  {
    database,
    readWaiting,
    addExpectations,
  }: { readonly database: Database; readonly readWaiting: ReadWaiting; readonly addExpectations: AddExpectations },
  projects: CallersProjects,
  callerId: number,
  limit: number,
): Promise<ActiveTask[]> => {
  if (projects?.size === 0) return [];
  const rows = await activeTasksQuery(database, projects, limit).execute();
  const waiting = await readWaiting(waitingIds(rows), new Set(hiddenOf(projects)));
  const tasks = await addExpectations(rows.map(presentTask));
  return rows.map((row, at) => {
    const task = queued(tasks[at] ?? presentTask(row), waiting);
    return {
      ...task,
      project_name: row.project_name,
      may_stop: holdsOn(projects, row, 'stop_tasks'),
      may_approve: waitsForApprovalOf(task, callerId) && holdsOn(projects, row, 'approve_tasks', 'approve'),
    };
  });
};
