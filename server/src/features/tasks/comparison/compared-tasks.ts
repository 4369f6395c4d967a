import type { Task } from '@signalbox/contract';
import type { StateReader } from '../../../database/database.ts';
import { notFound } from '../../../http/errors/api-error.ts';
import { findTask } from '../task.read-model.ts';

/** The last success before a task that changed hosts: a dry run proves nothing about them. */
const findLastSuccess = async (db: StateReader, task: Task): Promise<Task | undefined> => {
  const found = await db
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', task.template_id)
    .where('status', '=', 'success')
    .where('dry_run', '=', 0)
    .where('id', '<', task.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found && (await findTask(db, task.project_id, found.id));
};

export interface ComparedTasks {
  readonly other: Task;
  /** The one of both that was created first, and the other one. */
  readonly earlier: Task;
  readonly later: Task;
}

/**
 * Finds the two tasks that a call compares.
 * @param wanted id of the other task; undefined for the last success
 * @returns undefined if no earlier task of the template succeeded
 * @throws not_found for a task of another project or template
 */
export const findCompared = async (
  db: StateReader,
  projectId: number,
  taskId: number,
  wanted: number | undefined,
): Promise<ComparedTasks | undefined> => {
  const task = await findTask(db, projectId, taskId);
  if (!task) throw notFound();
  const other = wanted === undefined ? await findLastSuccess(db, task) : await findTask(db, projectId, wanted);
  if (!other && wanted === undefined) return undefined;
  // A task of another template may be hidden from the caller.
  if (!other || other.template_id !== task.template_id) throw notFound();
  return other.id < task.id ? { other, earlier: other, later: task } : { other, earlier: task, later: other };
};
