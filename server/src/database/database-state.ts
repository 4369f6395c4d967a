import { sql } from 'kysely';
import type { Database } from './database.ts';
import { MIGRATION_TABLE } from './snapshot.ts';

/** Reads what an administrator must know of a database, and which migrations it has. */
export const readDatabaseState = async ({ autocommit, capabilities }: Database) => {
  const { rows } = await sql<{ count: number; last: string }>`
    select count(*) as count, max(name) as last from ${sql.table(MIGRATION_TABLE.state)}`.execute(autocommit);
  const { count = 0, last = '' } = rows[0] ?? {};
  return { ...(await capabilities.state(autocommit as never)), migrations: Number(count), lastMigration: last };
};
