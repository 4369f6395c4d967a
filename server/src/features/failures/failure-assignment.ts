import type { BodyOf, EventMessage, Failure, FailureAssignment, RouteTable } from '@signalbox/contract';
import { hiddenOfUsers } from '../../access/access-of-members.ts';
import { selectMemberships } from '../../access/memberships.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { UNASSIGNED } from '../../failures/assignment-columns.ts';
import { ApiError, badField, notFound } from '../../http/errors/api-error.ts';
import type { FailureRow } from './failure.store.ts';
import type { FailureAuthor } from './failure-remark.ts';

/** Who takes care of a failure; null for no one, and for a failure that is fixed. */
export const assignmentOf = (
  row: Pick<FailureRow, keyof typeof UNASSIGNED> & { readonly assignee_name: string | null },
  trend: Failure['trend'],
): FailureAssignment | null => {
  const { assignee_id, assignee_name, assigned_by, assigned_at, assignment_note } = row;
  if (trend === 'gone' || assignee_id === null || assigned_at === null) return null;
  return {
    user_id: assignee_id,
    name: assignee_name ?? '',
    by: assigned_by,
    since: assigned_at,
    note: assignment_note,
  };
};

const nameOf = async (tx: StateTransaction, userId: number): Promise<string> => {
  const user = await tx.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst();
  return user?.name ?? '';
};

/** Locks the membership of a user, so that it cannot end before the assignment is stored. @returns whether there is one */
const lockMembership = async (tx: StateTransaction, projectId: number, userId: number): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('project_user')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Administrators can take failures without being members. @throws not_found if the user left the project meanwhile */
const checkAuthor = async (tx: StateTransaction, { project_id }: Failure, userId: number): Promise<void> => {
  if (await lockMembership(tx, project_id, userId)) return;
  const user = await tx.selectFrom('users').select('admin').where('id', '=', userId).executeTakeFirst();
  if (user?.admin !== 1) throw notFound();
};

/** @throws bad_input if the user is not a member, or must not see a template with the failure */
const checkAssignee = async (
  tx: StateTransaction,
  { project_id }: Failure,
  userId: number,
  isSeen: FailureAuthor['isSeen'],
): Promise<void> => {
  await lockMembership(tx, project_id, userId);
  const rows = selectMemberships(tx).where('project_user.project_id', '=', project_id);
  const member = await rows.where('project_user.user_id', '=', userId).executeTakeFirst();
  if (!member) throw badField('user_id', 'field.not_a_member');
  const user = await tx.selectFrom('users').select('admin').where('id', '=', userId).executeTakeFirst();
  const hidden = user?.admin === 1 ? undefined : (await hiddenOfUsers(tx, [member])).get(userId);
  if (hidden && !(await isSeen(tx, hidden))) throw badField('user_id', 'field.sees_no_template');
};

const record = (tx: StateTransaction, failure: Failure, { actor, now }: FailureAuthor, message: EventMessage) =>
  recordEvent(tx, {
    ...message,
    ...{ actor, projectId: failure.project_id, at: now },
    ...{ objectType: 'failure', objectId: failure.id, objectName: failure.title },
  });

/**
 * Lets the author, or another member, take care of a failure.
 * @throws conflict if the failure is fixed, bad_input if the user is not a member or must not see the failure
 */
export const assignFailure = async (
  tx: StateTransaction,
  failure: Failure,
  { user_id, note }: BodyOf<RouteTable['assignFailure']>,
  author: FailureAuthor,
): Promise<void> => {
  if (failure.trend === 'gone') throw new ApiError('conflict.failure_gone');
  const assignee = user_id ?? author.userId;
  const isOwn = assignee === author.userId;
  if (isOwn) await checkAuthor(tx, failure, assignee);
  else await checkAssignee(tx, failure, assignee, author.isSeen);
  const by = await nameOf(tx, author.userId);
  const assigned = { assignee_id: assignee, assigned_by: by, assigned_at: author.now.toISOString() };
  await tx
    .updateTable('failure')
    .set({ ...assigned, assignment_note: note })
    .where('id', '=', failure.id)
    .execute();
  const { title: name } = failure;
  const message: EventMessage = isOwn
    ? { kind: 'failure.taken', params: { name } }
    : { kind: 'failure.assigned', params: { name, user: await nameOf(tx, assignee) } };
  await record(tx, failure, author, message);
};

/** Gives a failure back: no one takes care of it. */
export const unassignFailure = async (tx: StateTransaction, failure: Failure, author: FailureAuthor): Promise<void> => {
  if (failure.remark.assignment === null) return;
  await tx.updateTable('failure').set(UNASSIGNED).where('id', '=', failure.id).execute();
  await record(tx, failure, author, { kind: 'failure.unassigned', params: { name: failure.title } });
};
