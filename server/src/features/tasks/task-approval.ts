import { type BodyOf, isFinal, type RouteTable } from '@signalbox/contract';
import type { Updateable } from 'kysely';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { TaskTable } from '../../database/task.schema.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { checkFreeze } from './launch/freeze-check.ts';
import { nameOfActor } from './task-stop.ts';
import { applyEvent, type TaskRow } from './task-transition.ts';

interface Decision {
  readonly projectId: number;
  readonly taskId: number;
  readonly actor: Actor;
  readonly now: Date;
}

/** @throws conflict unless the task waits for an approval */
const findPending = async (tx: StateTransaction, { projectId, taskId }: Decision): Promise<TaskRow> => {
  const task = await tx
    .selectFrom('task')
    .selectAll()
    .where('id', '=', taskId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!task) throw notFound();
  if (isFinal(task.status)) throw new ApiError('conflict.task_ended', { id: taskId });
  if (task.approval_state !== 'pending') throw new ApiError('conflict.approval_not_pending');
  return task;
};

/** The user who started a task. A deploy that its build started counts as started by the user of the build. */
const starterOf = async (tx: StateTransaction, task: TaskRow): Promise<number | null> => {
  if (task.user_id !== null || task.build_task_id === null) return task.user_id;
  const build = tx.selectFrom('task').select('user_id').where('id', '=', task.build_task_id);
  return (await build.executeTakeFirst())?.user_id ?? null;
};

/** @throws not_permitted for the user who started a task that someone else must approve */
const checkStarter = async (tx: StateTransaction, task: TaskRow, { userId }: Actor): Promise<void> => {
  if (task.approval === 'other' && userId === (await starterOf(tx, task)))
    throw new ApiError('not_permitted.own_approval');
};

/** Stores a decision once: of two at the same moment, the second one is refused. */
const storeDecision = async (
  tx: StateTransaction,
  task: TaskRow,
  decision: Updateable<TaskTable>,
): Promise<TaskRow> => {
  const stored = await tx
    .updateTable('task')
    .set(decision)
    .where('id', '=', task.id)
    .where('status', '=', 'waiting')
    .where('approval_state', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  if (!stored) throw new ApiError('conflict.approval_not_pending');
  return stored;
};

const eventOf = ({ actor, projectId, now }: Decision, task: TaskRow) => ({
  ...{ actor, projectId, at: now, objectType: 'task' as const, objectId: task.id, objectName: task.tpl_alias },
});

interface ApprovalDecision extends Decision {
  readonly approval: BodyOf<RouteTable['approveTask']>;
  /** Whether the user may start tasks in a freeze window. */
  readonly mayOverride: boolean;
}

/**
 * Lets a task start that waits for an approval.
 * @throws not_permitted, or conflict when the task does not wait for one
 */
export const approveTask = async (tx: StateTransaction, decision: ApprovalDecision): Promise<TaskRow> => {
  const { projectId, actor, mayOverride, approval, now } = decision;
  const pending = await findPending(tx, decision);
  await checkStarter(tx, pending, actor);
  const request = { template_id: pending.template_id, freeze_reason: approval.freeze_reason };
  // Who started it in a freeze window had the right and a reason.
  const freeze =
    pending.freeze_window === ''
      ? await checkFreeze(tx, { projectId, request, actor, mayOverride, now }, pending.inventory_id)
      : {};
  const task = await storeDecision(tx, pending, {
    approval_state: 'approved',
    approval_by: await nameOfActor(tx, actor),
    approval_comment: approval.comment,
    ...freeze,
  });
  const params = { id: task.id, template: task.tpl_alias };
  const { freeze_window: window, freeze_reason: why } = task;
  await recordEvent(tx, {
    ...eventOf(decision, task),
    ...(pending.freeze_window === window
      ? { kind: 'task.approved', params }
      : { kind: 'task.approved_in_freeze', params: { ...params, window, why } }),
  });
  return task;
};

/**
 * Stops a task that waits for an approval.
 * @throws conflict when it does not wait for one
 */
export const rejectTask = async (
  tx: StateTransaction,
  decision: Decision & { readonly comment: string },
): Promise<TaskRow> => {
  const { actor, comment, now } = decision;
  const pending = await findPending(tx, decision);
  const user = await nameOfActor(tx, actor);
  await storeDecision(tx, pending, { approval_state: 'rejected', approval_by: user, approval_comment: comment });
  const task = await applyEvent(tx, pending.id, 'stop', now, undefined, {
    code: 'stop.rejected',
    params: { user, comment },
  });
  if (!task) throw new ApiError('conflict.task_ended', { id: pending.id });
  await recordEvent(tx, {
    ...eventOf(decision, task),
    kind: 'task.rejected',
    params: { id: task.id, template: task.tpl_alias, why: comment },
  });
  return task;
};

/**
 * Stops the tasks of a template that wait with or for an approval, because a change of the template changes what was
 * approved. A task that a runner has already claimed runs as it was approved.
 */
export const stopOutdated = async (
  tx: StateTransaction,
  { templateId, actor, now }: { readonly templateId: number; readonly actor: Actor; readonly now: Date },
): Promise<TaskRow[]> => {
  const waiting = await tx
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', templateId)
    .where('status', '=', 'waiting')
    .where('runner_id', 'is', null)
    .where('approval_state', 'in', ['pending', 'approved'])
    .execute();
  const stopped: TaskRow[] = [];
  for (const { id } of waiting) {
    const task = await applyEvent(tx, id, 'stop', now, undefined, { code: 'stop.outdated', params: {} });
    if (!task) continue;
    stopped.push(task);
    await recordEvent(tx, {
      ...eventOf({ projectId: task.project_id, taskId: id, actor, now }, task),
      kind: 'task.approval_outdated',
      params: { id, template: task.tpl_alias },
    });
  }
  return stopped;
};
