import type { Database } from './database.ts';

/** The table has one row. */
const ROW = 1;

/** Stores when a backup was written, unless a newer one is known. */
export const storeBackupTime = async ({ autocommit }: Database, made: string): Promise<void> => {
  await autocommit
    .insertInto('last_backup')
    .values({ id: ROW, made })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ made }).where('last_backup.made', '<', made))
    .execute();
};

/** When the last backup was written; null if there is none. */
export const readBackupTime = async ({ read }: Database): Promise<string | null> =>
  (await read.selectFrom('last_backup').select('made').executeTakeFirst())?.made ?? null;
