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
 * Deletes ended tasks and queues the removal of their logs; skips tasks that are active or deleted. Their templates
 * show the newest remaining task. The caller records the event. At most 500 ids.
 * @param options.skipKept also skips tasks that a user keeps
 * @returns the deleted tasks
 */
export const removeTasks = async (
  tx: StateTransaction,
  taskIds: readonly number[],
  { skipKept }: { readonly skipKept: boolean },
): Promise<RemovedTask[]> => {
  if (taskIds.length === 0) return [];
  const removed = await tx
    .deleteFrom('task')
    .where('id', 'in', taskIds)
    .where('status', 'in', FINAL_STATUSES)
    .$if(skipKept, (query) => query.where('kept', '=', 0))
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
