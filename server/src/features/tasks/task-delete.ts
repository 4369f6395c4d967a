import { FINAL_STATUSES } from '@signalbox/contract';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { conflict } from '../../http/api-error.ts';

interface Deletion {
  readonly projectId: number;
  readonly taskId: number;
  readonly actor: Actor;
  readonly now: Date;
}

const notEnded = (id: number) => conflict(`Task #${id} has not ended: stop it first, or wait for its end.`);

/**
 * Deletes one task with its log; whoever calls has seen that it is there.
 * @throws conflict while it is active or waits
 */
export const deleteTask = async (tx: StateTransaction, { projectId, taskId, actor, now }: Deletion): Promise<void> => {
  const deleted = await tx
    .deleteFrom('task')
    .where('id', '=', taskId)
    .where('project_id', '=', projectId)
    .where('status', 'in', FINAL_STATUSES)
    .returning(['template_id', 'tpl_alias'])
    .executeTakeFirst();
  if (!deleted) throw notEnded(taskId);
  const newest = await tx
    .selectFrom('task')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('template_id', '=', deleted.template_id)
    .executeTakeFirst();
  await tx
    .updateTable('template')
    .set({ last_task_id: newest?.id ?? null })
    .where('id', '=', deleted.template_id)
    .where('last_task_id', '=', taskId)
    .execute();
  await recordEvent(tx, {
    actor,
    projectId,
    objectType: 'task',
    objectId: taskId,
    objectName: deleted.tpl_alias,
    description: `Task #${taskId} of ${deleted.tpl_alias} deleted`,
    at: now,
  });
};

/**
 * Deletes every task of a template with its log. Whoever calls holds the template, so that none is started meanwhile.
 * @throws conflict while one of them is active or waits
 */
export const deleteTasksOf = async (tx: StateTransaction, templateId: number): Promise<void> => {
  const active = await tx
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', templateId)
    .where('status', 'not in', FINAL_STATUSES)
    .limit(1)
    .executeTakeFirst();
  if (active) throw notEnded(active.id);
  await tx.deleteFrom('task').where('template_id', '=', templateId).execute();
};
