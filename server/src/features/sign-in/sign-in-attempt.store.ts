import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateReader } from '../../database/database.ts';

/** How long a failure counts, in milliseconds. */
const WINDOW_MS = 15 * 60_000;
/** Milliseconds after which an attempt without a result counts as failed, because its server may have died. */
const PENDING_MS = 60_000;

export interface AttemptKeys {
  readonly network: string;
  readonly account: string;
}

export interface AttemptLimits {
  readonly perNetwork: number;
  readonly perAccount: number;
}

interface Counts {
  readonly isBlocked: boolean;
  readonly isFull: boolean;
}

const timeBefore = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString();

const count = async (db: StateReader, keys: AttemptKeys, limits: AttemptLimits, now: Date): Promise<Counts> => {
  const rows = await db
    .selectFrom('sign_in_attempt')
    .select(['account_key', 'pending', 'at'])
    .where('network_key', '=', keys.network)
    .where('at', '>', timeBefore(now, WINDOW_MS))
    .execute();
  const givenUp = timeBefore(now, PENDING_MS);
  const failed = rows.filter(({ pending, at }) => pending === 0 || at < givenUp);
  const reaches = (some: typeof rows): boolean =>
    some.length >= limits.perNetwork ||
    some.filter(({ account_key }) => account_key === keys.account).length >= limits.perAccount;
  return { isBlocked: reaches(failed), isFull: reaches(rows) };
};

/**
 * Stores an attempt before it is made, so that servers that share a database together stay within the limits.
 * @returns the id of the attempt; `blocked` when too many have failed, `full` when too many would have failed if all
 *   pending attempts fail
 */
export const beginAttempt = async (
  database: Database,
  clock: Clock,
  keys: AttemptKeys,
  limits: AttemptLimits,
): Promise<number | 'blocked' | 'full'> => {
  // A blocked client costs one read and no write.
  if ((await count(database.read, keys, limits, clock.now())).isBlocked) return 'blocked';
  return await database.write(async (tx) => {
    await database.lockNumber(tx, LOCK.signIn, Number.parseInt(keys.network.slice(0, 7), 16));
    const now = clock.now();
    const { isBlocked, isFull } = await count(tx, keys, limits, now);
    if (isBlocked) return 'blocked';
    if (isFull) return 'full';
    const { id } = await tx
      .insertInto('sign_in_attempt')
      .values({ network_key: keys.network, account_key: keys.account, pending: 1, at: now.toISOString() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
};

/** Stores that an attempt has failed. The failure counts from this moment. */
export const failAttempt = async ({ autocommit }: Database, id: number, now: Date): Promise<void> => {
  await autocommit
    .updateTable('sign_in_attempt')
    .set({ pending: 0, at: now.toISOString() })
    .where('id', '=', id)
    .execute();
};

/** Deletes an attempt that ended without a result. */
export const deleteAttempt = async ({ autocommit }: Database, id: number): Promise<void> => {
  await autocommit.deleteFrom('sign_in_attempt').where('id', '=', id).execute();
};

/** Deletes a successful attempt, and the earlier failures of the same account and network. */
export const forgiveAttempts = async (
  { autocommit }: Database,
  id: number,
  { account }: AttemptKeys,
): Promise<void> => {
  await autocommit
    .deleteFrom('sign_in_attempt')
    .where('account_key', '=', account)
    .where((eb) => eb.or([eb('pending', '=', 0), eb('id', '=', id)]))
    .execute();
};

/** Deletes expired attempts. After the clock was set back, failures with a future time count from now on. */
export const tidyAttempts = (database: Database, now: Date): Promise<void> =>
  database.write(async (tx) => {
    await tx.deleteFrom('sign_in_attempt').where('at', '<=', timeBefore(now, WINDOW_MS)).execute();
    await tx
      .updateTable('sign_in_attempt')
      .set({ at: now.toISOString() })
      .where('at', '>', timeBefore(now, -PENDING_MS))
      .execute();
  });
