import { type Label, MAX_LABELS } from '@signalbox/contract';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors/api-error.ts';

/** @throws conflict when the project has the maximum number of labels */
export const insertLabel = async (
  tx: StateTransaction,
  projectId: number,
  { name, colour }: Pick<Label, 'name' | 'colour'>,
  actor: Actor,
  now: Date,
): Promise<Label> => {
  const { count } = await tx
    .selectFrom('label')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_LABELS) throw new ApiError('conflict.labels_full', { max: MAX_LABELS });
  const row = await tx
    .insertInto('label')
    .values({ project_id: projectId, name, colour })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'label', row, actor, now);
  return row;
};
