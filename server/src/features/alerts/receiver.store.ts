import { type AlertReceiver, MAX_RECEIVERS, type ReceiverKind } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { AlertReceiverTable } from '../../database/alert.schema.ts';
import type { StateTransaction } from '../../database/database.ts';
import { refuseFull } from '../../http/objects/refuse-full.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { decryptReceiver, encryptReceiver } from '../../secrets/receiver-secret.ts';

export type ReceiverRow = Selectable<AlertReceiverTable>;

export interface ReceiverInput {
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

const NO_ADDRESS = { url: '', secret: '' };

const addressOrEmpty = (master: MasterKey, row: ReceiverRow): typeof NO_ADDRESS => {
  try {
    return decryptReceiver(master, row);
  } catch {
    // The key that encrypted the address is missing. The user must enter the address again.
    return NO_ADDRESS;
  }
};

/**
 * Returns a stored receiver as the input that would create it, with its secrets, so that a change can be merged into it.
 */
export const receiverInput = (master: MasterKey, row: ReceiverRow): ReceiverInput => ({
  name: row.name,
  kind: row.kind,
  active: row.active === 1,
  ...addressOrEmpty(master, row),
});

const flag = (value: boolean) => (value ? 1 : 0);

/** Only posts to a `webhook` are signed, so other kinds store no secret. */
export const receiverColumns = (master: MasterKey, id: number, input: ReceiverInput) => {
  const secret = input.kind === 'webhook' ? input.secret : '';
  return {
    name: input.name,
    kind: input.kind,
    active: flag(input.active),
    has_secret: flag(secret !== ''),
    secret: encryptReceiver(master, id, { url: input.url, secret }),
  } as const;
};

/**
 * Stores a receiver. The id of the row is part of the encryption of its secrets, so the row is first inserted without them.
 * @throws conflict when the project has the maximum number of receivers
 */
export const insertReceiver = async (
  tx: StateTransaction,
  master: MasterKey,
  projectId: number,
  input: ReceiverInput,
  actor: Actor,
  now: Date,
): Promise<AlertReceiver> => {
  await refuseFull(tx, 'alert_receiver', projectId, MAX_RECEIVERS, {
    code: 'conflict.alert_receivers_full',
    params: { max: MAX_RECEIVERS },
  });
  const { name, kind } = input;
  const { id } = await tx
    .insertInto('alert_receiver')
    .values({ project_id: projectId, name, kind, active: 0, has_secret: 0, secret: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await tx
    .updateTable('alert_receiver')
    .set(receiverColumns(master, id, input))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'alert_receiver', row, actor, now);
  return presentReceiver(row);
};
