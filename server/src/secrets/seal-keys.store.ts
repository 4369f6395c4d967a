import type { Database } from '../database/database.ts';
import { keyIdOf } from './cipher.ts';
import { LEASE_SECRET_ID, leaseKey, makeLeaseSecret, openLeaseSecret, sealLeaseSecret } from './lease-secret.ts';
import type { MasterKey } from './master-key.ts';
import { GIVEN_BY_PEOPLE, missingKeys } from './vault.ts';

/** The key under which a runner keeps what must be masked of a run, see `Order`. */
export type SealKeys = (taskId: number, epoch: number) => string;

const openWith = (master: MasterKey, stored: string): Buffer | undefined => {
  try {
    return openLeaseSecret(master, stored);
  } catch {
    return undefined;
  }
};

/**
 * The keys of all leases, the same for every server on the database, also after the encryption key was changed. Where what
 * they are made from does not open, they are made from the encryption key at hand, so that tasks run all the same; and
 * that is stored once no other secret waits for the key of before.
 */
export const openSealKeys = async (database: Database, master: MasterKey): Promise<SealKeys> => {
  const secret = await database.write(async (tx) => {
    const made = makeLeaseSecret(master);
    const row = { id: LEASE_SECRET_ID, secret: sealLeaseSecret(master, made) };
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
  return (taskId, epoch) => leaseKey(secret, taskId, epoch);
};
