import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { notFound } from '../../http/errors/api-error.ts';
import type { TaskRow } from './task-transition.ts';

export interface Keeping {
  readonly projectId: number;
  readonly taskId: number;
  readonly kept: boolean;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Keeps a task with its log whatever its age, or lets retention remove it again. Repeating this changes nothing.
 * @throws not_found if retention has just removed the task
 */
export const keepTask = async (
  tx: StateTransaction,
  { projectId, taskId, kept, actor, now }: Keeping,
): Promise<TaskRow> => {
  const wanted = kept ? 1 : 0;
  const changed = await tx
    .updateTable('task')
    .set({ kept: wanted })
    .where('id', '=', taskId)
    .where('project_id', '=', projectId)
    .where('kept', '<>', wanted)
    .returningAll()
    .executeTakeFirst();
  if (!changed) {
    const same = tx.selectFrom('task').selectAll().where('id', '=', taskId).where('project_id', '=', projectId);
    const found = await same.executeTakeFirst();
    if (!found) throw notFound();
    return found;
  }
  await recordEvent(tx, {
    actor,
    projectId,
    objectType: 'task',
    objectId: taskId,
    objectName: changed.tpl_alias,
    kind: kept ? 'task.kept' : 'task.no_longer_kept',
    params: { id: taskId, template: changed.tpl_alias },
    at: now,
  });
  return changed;
};
