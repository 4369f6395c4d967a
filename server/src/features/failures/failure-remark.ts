import { type BodyOf, type Failure, NewFailureRemark, type RouteTable } from '@signalbox/contract';
import { changeParams } from '../../audit/changed-fields.ts';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { merged } from '../../http/objects/change.ts';

/** Who changes a failure, and when. */
export interface FailureAuthor {
  readonly userId: number;
  readonly actor: Actor;
  readonly now: Date;
  /** Whether a user sees the failure who must not see these templates. */
  readonly isSeen: (db: StateReader, hidden: ReadonlySet<number>) => Promise<boolean>;
}

/** Stores a note about a failure, and until when it is known, each with its author and time if it changed. */
export const changeRemark = async (
  tx: StateTransaction,
  { id, project_id, title, remark }: Failure,
  body: BodyOf<RouteTable['updateFailure']>,
  { userId, actor, now }: FailureAuthor,
): Promise<void> => {
  const before = { note: remark.note, known_until: remark.known_until, known_commit: remark.known_commit };
  const input = merged(NewFailureRemark, before, body);
  const user = await tx.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst();
  const by = user?.name ?? '';
  const at = now.toISOString();
  const isKnown = input.known_until !== null || input.known_commit !== '';
  const isKnownChanged = input.known_until !== before.known_until || input.known_commit !== before.known_commit;
  const note = { note_by: input.note === '' ? '' : by, note_at: input.note === '' ? null : at };
  const known = { known_by: isKnown ? by : '', known_at: isKnown ? at : null };
  await tx
    .updateTable('failure')
    .set({ ...input, ...(input.note === before.note ? {} : note), ...(isKnownChanged ? known : {}) })
    .where('id', '=', id)
    .execute();
  await recordEvent(tx, {
    kind: 'failure.changed',
    params: { name: title, ...changeParams(before, input, { name: title, oldName: title }) },
    actor,
    projectId: project_id,
    objectType: 'failure',
    objectId: id,
    objectName: title,
    at: now,
  });
};
