import { type AlertReceiver, MAX_RECEIVERS, type ReceiverKind } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { AlertReceiverTable } from '../../database/alert.schema.ts';
import type { StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { openReceiver, sealReceiver } from '../../secrets/receiver-secret.ts';

export type ReceiverRow = Selectable<AlertReceiverTable>;

export interface ReceiverFacts {
  readonly name: string;
  readonly kind: ReceiverKind;
  readonly active: boolean;
  readonly url: string;
  readonly secret: string;
}

export const presentReceiver = (row: Omit<ReceiverRow, 'secret'>): AlertReceiver => ({
  id: row.id,
  project_id: row.project_id,
  name: row.name,
  kind: row.kind,
  active: row.active === 1,
  has_secret: row.has_secret === 1,
});

const NOWHERE = { url: '', secret: '' };

const addressIfOpen = (master: MasterKey, row: ReceiverRow): typeof NOWHERE => {
  try {
    return openReceiver(master, row);
  } catch {
    // The key is not here: the address is to be given anew.
    return NOWHERE;
  }
};

/** A receiver as it would be made anew, with what is secret of it: for merging a change into it. */
export const factsOfReceiver = (master: MasterKey, row: ReceiverRow): ReceiverFacts => ({
  name: row.name,
  kind: row.kind,
  active: row.active === 1,
  ...addressIfOpen(master, row),
});

const flag = (value: boolean) => (value ? 1 : 0);

/** Only what is sent to a `webhook` is signed: another kind keeps no secret. */
export const receiverColumns = (master: MasterKey, id: number, facts: ReceiverFacts) => {
  const secret = facts.kind === 'webhook' ? facts.secret : '';
  return {
    name: facts.name,
    kind: facts.kind,
    active: flag(facts.active),
    has_secret: flag(secret !== ''),
    secret: sealReceiver(master, id, { url: facts.url, secret }),
  } as const;
};

/**
 * Stores a receiver; what is secret of it is encrypted for its own row, so the row comes first.
 * @throws conflict when the project has as many as it may have
 */
export const insertReceiver = async (
  tx: StateTransaction,
  master: MasterKey,
  projectId: number,
  facts: ReceiverFacts,
  actor: Actor,
  now: Date,
): Promise<AlertReceiver> => {
  // Two that are added at once are counted one after the other.
  await tx
    .updateTable('project')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', projectId)
    .execute();
  const { count } = await tx
    .selectFrom('alert_receiver')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_RECEIVERS) throw new ApiError('conflict.alert_receivers_full', { max: MAX_RECEIVERS });
  const { name, kind } = facts;
  const { id } = await tx
    .insertInto('alert_receiver')
    .values({ project_id: projectId, name, kind, active: 0, has_secret: 0, secret: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await tx
    .updateTable('alert_receiver')
    .set(receiverColumns(master, id, facts))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'alert_receiver', row, actor, now);
  return presentReceiver(row);
};
