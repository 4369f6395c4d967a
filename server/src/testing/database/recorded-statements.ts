import { join } from 'node:path';
import { Kysely } from 'kysely';
import { Database, type Logs } from '../../database/database.ts';
import { postgresCapabilities } from '../../database/dialects/postgres/postgres-capabilities.ts';
import { postgresDialect } from '../../database/dialects/postgres/postgres-dialect.ts';
import { sqliteCapabilities } from '../../database/dialects/sqlite/sqlite-capabilities.ts';
import { sqliteDialect } from '../../database/dialects/sqlite/sqlite-dialect.ts';
import { LOGS_FILE } from '../../database/file-names.ts';
import { migrateAll, type Step, type Steps } from '../../database/migrate.ts';
import { STATE_FILE } from '../../database/open-database.ts';
import type { TestLocation } from './databases.ts';

/** Migrates an empty database, and returns the statements of each step of the state database. */
export const recordedStatements = async (
  { databaseUrl, folder }: TestLocation,
  steps: Steps,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const found = new Map<string, string[]>();
  let current: string[] = [];
  const open = <Schema>(file: string) =>
    new Kysely<Schema>({
      dialect: databaseUrl === undefined ? sqliteDialect(join(folder, file)) : postgresDialect(databaseUrl).dialect,
      log: ({ query: { sql } }) => void current.push(sql),
    });
  const state = Object.entries(steps).map(([name, step]): [string, Step] => [
    name,
    async (...args) => {
      current = [];
      found.set(name, current);
      await step(...args);
    },
  ]);
  const capabilities = databaseUrl === undefined ? sqliteCapabilities : postgresCapabilities;
  const database = new Database(open(STATE_FILE), capabilities);
  const logs = databaseUrl === undefined ? (open(LOGS_FILE) as Logs) : undefined;
  try {
    await migrateAll(database, logs, { state: Object.fromEntries(state) });
  } finally {
    await logs?.destroy();
    await database.close();
  }
  return found;
};
