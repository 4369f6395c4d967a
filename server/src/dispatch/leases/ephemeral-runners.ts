import { recordInstallationEvent } from '../../audit/installation-event.ts';
import { SYSTEM } from '../../audit/record-event.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import { hasTasks } from './tasks-of-runner.ts';

const HOUR_MS = 60 * 60_000;

/** How long an ephemeral runner without contact stays in the list, in milliseconds. */
const KEPT_MS = 24 * HOUR_MS;

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

/** Deletes the runner if it is ephemeral. Called when a runner that takes no more tasks has closed its link. */
export const removeEndedRunner = (database: Database, id: number, now: Date): Promise<void> =>
  database.write((tx) => remove(tx, id, now), LOCK.claim);

/**
 * Deletes ephemeral runners that have had no contact for a day.
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
