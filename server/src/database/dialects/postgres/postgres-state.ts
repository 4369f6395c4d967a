import { type Kysely, sql } from 'kysely';
import type { DialectState } from '../capabilities.ts';

interface Row {
  readonly version: string;
  readonly bytes: string;
  readonly open: number;
  readonly maximum: number;
  readonly oldest: number | null;
}

/** Other users of the database server may hide when their transactions began. */
export const postgresState = async (db: Kysely<never>): Promise<DialectState> => {
  const { rows } = await sql<Row>`
    select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes,
      current_setting('max_connections')::integer as maximum,
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as open,
      (select extract(epoch from clock_timestamp() - min(xact_start))::float8 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()) as oldest`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL did not describe itself.');
  const { version, bytes, open, maximum, oldest } = row;
  return {
    // Debian adds the version of its package.
    version: version.split(' ')[0] ?? version,
    bytes: Number(bytes),
    connections: { open, maximum },
    oldestTransactionSeconds: oldest,
  };
};
