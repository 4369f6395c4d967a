import { type BodyOf, type EventMessage, isFinal, type RouteTable } from '@signalbox/contract';
import type { Updateable } from 'kysely';
import type { LimitColumns } from '../../access/access.ts';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { TaskTable } from '../../database/task.schema.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { checkFreeze } from './launch/freeze-check.ts';
import { replacedLimit } from './launch/replaced-limit.ts';
import { nameOfActor } from './task-stop.ts';
import { applyEvent, type TaskRow } from './task-transition.ts';

interface Verdict {
  readonly projectId: number;
  readonly taskId: number;
  readonly actor: Actor;
  /** The grants that permit the verdict; undefined if the role of the user does. */
  readonly grants?: readonly LimitColumns[] | undefined;
  readonly now: Date;
}

/** Whether a task has every value that a grant fixes, and no arguments that replace one. */
const fits = (task: TaskRow, templateArguments: string, grant: LimitColumns): boolean => {
  const { inventory_id, limit_hosts, answers } = grant;
  const given = JSON.parse(task.environment) as Readonly<Record<string, unknown>>;
  const fixed = Object.entries(JSON.parse(answers) as object);
  return (
    (inventory_id === null || inventory_id === task.inventory_id) &&
    (limit_hosts === '' || limit_hosts === task.limit_hosts) &&
    fixed.every(([name, answer]) => JSON.stringify(given[name]) === JSON.stringify(answer)) &&
    [templateArguments, task.arguments].every((one) => replacedLimit(task.app, one, grant) === undefined)
  );
};

/** @throws not_permitted unless one of the grants that permit the verdict concerns the task */
const checkGrants = async (tx: StateTransaction, task: TaskRow, grants: Verdict['grants']): Promise<void> => {
  if (!grants) return;
  const template = await tx
    .selectFrom('template')
    .select('arguments')
    .where('id', '=', task.template_id)
    .executeTakeFirstOrThrow();
  if (!grants.some((grant) => fits(task, template.arguments, grant)))
    throw new ApiError('not_permitted.approval_limits');
};

/** @throws conflict unless the task waits for an approval, or not_permitted if no grant of the user concerns it */
const findPending = async (tx: StateTransaction, { projectId, taskId, grants }: Verdict): Promise<TaskRow> => {
  const task = await tx
    .selectFrom('task')
    .selectAll()
    .where('id', '=', taskId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!task) throw notFound();
  if (isFinal(task.status)) throw new ApiError('conflict.task_ended', { id: taskId });
  if (task.approval_state !== 'pending') throw new ApiError('conflict.approval_not_pending');
  await checkGrants(tx, task, grants);
  return task;
};

/** Stores a verdict once: of two at the same moment, the second one is refused. */
const storeVerdict = async (tx: StateTransaction, task: TaskRow, verdict: Updateable<TaskTable>): Promise<TaskRow> => {
  const stored = await tx
    .updateTable('task')
    .set(verdict)
    .where('id', '=', task.id)
    .where('status', '=', 'waiting')
    .where('approval_state', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  if (!stored) throw new ApiError('conflict.approval_not_pending');
  return stored;
};

const eventOf = ({ actor, projectId, now }: Verdict, task: TaskRow) => ({
  ...{ actor, projectId, at: now, objectType: 'task' as const, objectId: task.id, objectName: task.tpl_alias },
});

interface Approval extends Verdict {
  readonly approval: BodyOf<RouteTable['approveTask']>;
  /** See `permitsOverride` of calls. */
  readonly mayOverride: boolean;
}

const approvalMessage = (task: TaskRow, isFrozen: boolean): EventMessage => {
  const params = { id: task.id, template: task.tpl_alias };
  const { freeze_window: window, freeze_reason: why, approval_comment: comment } = task;
  if (isFrozen) return { kind: 'task.approved_in_freeze', params: { ...params, window, why } };
  if (comment === '') return { kind: 'task.approved', params };
  return { kind: 'task.approved_with_comment', params: { ...params, why: comment } };
};

/**
 * Lets a task start that waits for an approval.
 * @throws not_permitted, or conflict when the task does not wait for one
 */
export const approveTask = async (tx: StateTransaction, verdict: Approval): Promise<TaskRow> => {
  const { projectId, actor, mayOverride, approval, now } = verdict;
  const pending = await findPending(tx, verdict);
  if (pending.approval === 'other' && actor.userId !== null && actor.userId === pending.approval_starter)
    throw new ApiError('not_permitted.own_approval');
  const request = { template_id: pending.template_id, freeze_reason: approval.freeze_reason };
  const start = { projectId, request, actor, mayOverride, earlier: pending, now };
  const freeze = await checkFreeze(tx, start, pending.inventory_id);
  const isFrozen = freeze.freeze_window !== '';
  const task = await storeVerdict(tx, pending, {
    approval_state: 'approved',
    approval_by: await nameOfActor(tx, actor),
    approval_comment: approval.comment,
    ...(isFrozen ? freeze : {}),
  });
  await recordEvent(tx, { ...eventOf(verdict, task), ...approvalMessage(task, isFrozen) });
  return task;
};

/**
 * Stops a task that waits for an approval.
 * @throws conflict when it does not wait for one
 */
export const rejectTask = async (
  tx: StateTransaction,
  verdict: Verdict & { readonly comment: string },
): Promise<TaskRow> => {
  const { actor, comment, now } = verdict;
  const pending = await findPending(tx, verdict);
  const user = await nameOfActor(tx, actor);
  await storeVerdict(tx, pending, { approval_state: 'rejected', approval_by: user, approval_comment: comment });
  const task = await applyEvent(tx, pending.id, 'stop', now, undefined, {
    code: 'stop.rejected',
    params: { user, comment },
  });
  if (!task) throw new ApiError('conflict.task_ended', { id: pending.id });
  await recordEvent(tx, {
    ...eventOf(verdict, task),
    kind: 'task.rejected',
    params: { id: task.id, template: task.tpl_alias, why: comment },
  });
  return task;
};

/**
 * Stops the tasks of a template that wait with or for an approval, because a change of the template changes what was
 * approved. A task that a runner has accepted runs as it was approved.
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
