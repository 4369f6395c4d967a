import type { Database } from '../database/database.ts';
import { keyIdOf } from './cipher.ts';
import { decryptLeaseSecret, encryptLeaseSecret, LEASE_SECRET_ID, leaseKey, makeLeaseSecret } from './lease-secret.ts';
import type { MasterKey } from './master-key.ts';
import { GIVEN_BY_PEOPLE, missingKeys } from './vault.ts';

/**
 * Returns the key with which a runner encrypts the values that it must mask in a run; see the job message of the
 * link.
 */
export type RunKeys = (taskId: number, epoch: number) => string;

const openWith = (master: MasterKey, stored: string): Buffer | undefined => {
  try {
    return decryptLeaseSecret(master, stored);
  } catch {
    return undefined;
  }
};

/**
 * Opens the secret from which the keys of all runs and of host names are derived. It is the same for every server on the
 * database, also after the encryption key was changed. If it cannot be decrypted, it is derived from the current
 * encryption key, so that tasks run anyway. The derived secret is stored when no other secret needs the missing key.
 */
export const openDerivedSecret = (database: Database, master: MasterKey): Promise<Buffer> =>
  database.write(async (tx) => {
    const made = makeLeaseSecret(master);
    const row = { id: LEASE_SECRET_ID, secret: encryptLeaseSecret(master, made) };
    await tx
      .insertInto('lease_secret')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    const stored = await tx.selectFrom('lease_secret').select('secret').executeTakeFirstOrThrow();
    const known = openWith(master, stored.secret);
    if (known) return known;
    const awaited = await missingKeys(tx, master, GIVEN_BY_PEOPLE);
    if (!awaited.includes(keyIdOf(stored.secret) ?? ''))
      await tx.updateTable('lease_secret').set({ secret: row.secret }).where('secret', '=', stored.secret).execute();
    return made;
  });

/** The keys of runs, derived from the secret. */
export const runKeysOf =
  (secret: Buffer): RunKeys =>
  (taskId, epoch) =>
    leaseKey(secret, taskId, epoch);
