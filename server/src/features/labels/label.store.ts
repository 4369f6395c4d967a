import { type Label, MAX_LABELS } from '@signalbox/contract';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { refuseFull } from '../../http/objects/refuse-full.ts';

/** @throws conflict when the project has the maximum number of labels */
export const insertLabel = async (
  tx: StateTransaction,
  projectId: number,
  { name, colour }: Pick<Label, 'name' | 'colour'>,
  actor: Actor,
  now: Date,
): Promise<Label> => {
  await refuseFull(tx, 'label', projectId, MAX_LABELS, { code: 'conflict.labels_full', params: { max: MAX_LABELS } });
  const row = await tx
    .insertInto('label')
    .values({ project_id: projectId, name, colour })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'label', row, actor, now);
  return row;
};
