import { randomBytes, randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { LogStoreTable } from '../../database/log-store.schema.ts';
import { decrypt, encrypt } from '../../secrets/cipher.ts';
import type { MasterKey } from '../../secrets/master-key.ts';

/** The table has at most one row. */
const ID = 1;
const CONTEXT = `log_store:${ID}` as const;
const SECRET_BYTES = 32;

export type LogStoreRow = Selectable<LogStoreTable>;

export const readLogStoreRow = ({ read }: Pick<Database, 'read'>): Promise<LogStoreRow | undefined> =>
  read.selectFrom('log_store').selectAll().where('id', '=', ID).executeTakeFirst();

/** Returns the row, which the first server with a log store creates. The address of a later store is stored after its check. */
export const ensureLogStoreRow = async (
  database: Database,
  master: MasterKey,
  address: string,
): Promise<LogStoreRow> => {
  const row = {
    id: ID,
    installation: randomUUID(),
    secret: encrypt(master, CONTEXT, randomBytes(SECRET_BYTES).toString('base64')),
    marked: 0,
    address,
  } as const;
  const stored = await readLogStoreRow(database);
  if (stored) return stored;
  await database.autocommit
    .insertInto('log_store')
    .values({ ...row, failing_since: null, failure: null })
    .onConflict((oc) => oc.column('id').doNothing())
    .execute();
  return await database.read.selectFrom('log_store').selectAll().where('id', '=', ID).executeTakeFirstOrThrow();
};

/** The secret from which the keys of objects are derived. */
export const secretOf = (master: MasterKey, { secret }: Pick<LogStoreRow, 'secret'>): Buffer =>
  Buffer.from(decrypt(master, CONTEXT, secret), 'base64');

/** Stores that this is the store of the installation, which contains its marker. */
export const storeMarked = async ({ autocommit }: Database, address: string): Promise<void> => {
  await autocommit.updateTable('log_store').set({ marked: 1, address }).where('id', '=', ID).execute();
};

/** Counts removed objects that had no row. */
export const addOrphans = async ({ autocommit }: Database, count: number): Promise<void> => {
  await autocommit
    .updateTable('log_store')
    .set((eb) => ({ orphans: eb('orphans', '+', count) }) as never)
    .where('id', '=', ID)
    .execute();
};

/**
 * Stores how far the search for objects without a row is.
 * @param due when the next page is due; null at once
 */
export const storeSearch = async (
  { autocommit }: Database,
  { after, due }: { readonly after: string; readonly due: string | null },
): Promise<void> => {
  await autocommit
    .updateTable('log_store')
    .set({ orphans_after: after, orphans_due: due })
    .where('id', '=', ID)
    .execute();
};

/** Stores why moves fail, and since when. */
export const storeFailure = async ({ autocommit }: Database, failure: string, now: Date): Promise<void> => {
  await autocommit
    .updateTable('log_store')
    .set(({ fn, val }) => ({ failure, failing_since: fn.coalesce('failing_since', val(now.toISOString())) }))
    .where('id', '=', ID)
    .execute();
};

export const clearFailure = async ({ autocommit }: Database): Promise<void> => {
  await autocommit
    .updateTable('log_store')
    .set({ failure: null, failing_since: null })
    .where('id', '=', ID)
    .where('failing_since', 'is not', null)
    .execute();
};
