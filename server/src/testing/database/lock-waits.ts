import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../database/database.ts';

/** Resolves when this number of connections to a PostgreSQL database wait for locks. */
export const lockWaits = (database: Database, atLeast = 1): Promise<void> =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(database.autocommit);
      return Number(rows[0]?.n);
    })
    .toBeGreaterThanOrEqual(atLeast);
