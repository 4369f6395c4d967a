import { recordInstallationEvent } from '../../audit/installation-event.ts';
import { SYSTEM } from '../../audit/record-event.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import { hasTasks } from './tasks-of-runner.ts';

const HOUR_MS = 60 * 60_000;

/** How long an ephemeral runner without contact stays in the list, in milliseconds. */
const KEPT_MS = 24 * HOUR_MS;

/** How long an ephemeral runner that takes no more tasks stays in the list after its link was lost, in milliseconds. */
const KEPT_AFTER_LOSS_MS = 60_000;

/** When an ephemeral runner that has contact now is deleted if it never has contact again. */
export const ephemeralExpiry = (now: Date): string => new Date(now.getTime() + KEPT_MS).toISOString();

/** Deletes an ephemeral runner unless it has tasks. Its tasks keep its name. */
const remove = async (tx: StateTransaction, id: number, now: Date): Promise<void> => {
  if (await hasTasks(tx, id)) return;
  const removed = await tx
    .deleteFrom('runner')
    .where('id', '=', id)
    .where('ephemeral', '=', 1)
    .where('connection', 'is', null)
    .returning(['id', 'name'])
    .executeTakeFirst();
  if (!removed) return;
  const event = { kind: 'runner.ephemeral_removed', params: { name: removed.name } } as const;
  await recordInstallationEvent(tx, 'runner', removed, event, SYSTEM, now);
};

/**
 * Deletes the runner if it is ephemeral and takes no more tasks. Called when its link has closed.
 * @param isConfirmed whether the runner has closed the link because it ends. Otherwise it may not have received that its
 *   task is stored, so it can connect again for a minute.
 */
export const removeEndedRunner = (database: Database, id: number, isConfirmed: boolean, now: Date): Promise<void> =>
  database.write(async (tx) => {
    if (isConfirmed) return await remove(tx, id, now);
    if (await hasTasks(tx, id)) return;
    await tx
      .updateTable('runner')
      .set({ expires: new Date(now.getTime() + KEPT_AFTER_LOSS_MS).toISOString() })
      .where('id', '=', id)
      .where('ephemeral', '=', 1)
      .where('connection', 'is', null)
      .execute();
  }, LOCK.claim);

/**
 * Deletes ephemeral runners that have had no contact for a day, or for a minute after their task.
 * @param linked ids of the runners that are linked to this server
 */
export const sweepEphemeralRunners = async (
  database: Database,
  linked: readonly number[],
  now: Date,
): Promise<void> => {
  const expires = ephemeralExpiry(now);
  if (linked.length > 0) {
    // Written once an hour at most, so that an idle runner hardly causes writes.
    const renewed = new Date(now.getTime() + KEPT_MS - HOUR_MS).toISOString();
    await database.autocommit
      .updateTable('runner')
      .set({ expires })
      .where('id', 'in', linked)
      .where('expires', '<', renewed)
      .execute();
  }
  const expired = await database.read
    .selectFrom('runner')
    .select('id')
    .where('ephemeral', '=', 1)
    .where('expires', '<', now.toISOString())
    .execute();
  for (const { id } of expired.filter((one) => !linked.includes(one.id)))
    await database.write(async (tx) => {
      // A server that stopped without closing its links has left this value.
      await tx
        .updateTable('runner')
        .set({ connection: null })
        .where('id', '=', id)
        .where('expires', '<', now.toISOString())
        .execute();
      await remove(tx, id, now);
    }, LOCK.claim);
};
