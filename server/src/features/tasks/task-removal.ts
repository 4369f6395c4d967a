import { FINAL_STATUSES } from '@signalbox/contract';
import type { StateTransaction } from '../../database/database.ts';
import { queueLogRemoval } from '../../logs/log-removal.ts';

export interface RemovedTask {
  readonly id: number;
  readonly project_id: number;
  readonly template_id: number;
  readonly tpl_alias: string;
}

/**
 * Deletes finished tasks and asks for their logs to be removed; those that are active or gone are passed over. Their
 * templates show the newest task that is left. The caller writes the event. At most 500 ids.
 * @returns the tasks that were deleted
 */
export const removeTasks = async (tx: StateTransaction, taskIds: readonly number[]): Promise<RemovedTask[]> => {
  if (taskIds.length === 0) return [];
  const removed = await tx
    .deleteFrom('task')
    .where('id', 'in', taskIds)
    .where('status', 'in', FINAL_STATUSES)
    .returning(['id', 'project_id', 'template_id', 'tpl_alias'])
    .execute();
  const ids = removed.map(({ id }) => id);
  if (ids.length === 0) return [];
  await queueLogRemoval(tx, ids);
  await tx
    .updateTable('template')
    .set((eb) => ({
      last_task_id: eb
        .selectFrom('task')
        .select((e) => e.fn.max('task.id').as('id'))
        .whereRef('task.template_id', '=', 'template.id'),
    }))
    .where('id', 'in', [...new Set(removed.map((task) => task.template_id))])
    .where('last_task_id', 'in', ids)
    .execute();
  return removed;
};
