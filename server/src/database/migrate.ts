import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartError } from '../start-error.ts';
import type { Database, Logs } from './database.ts';
import type { Capabilities } from './dialects/capabilities.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { logs } from './migrations/0001-logs.ts';
import { tokensAndSecrets } from './migrations/0002-tokens-and-secrets.ts';

export type Step = (db: Kysely<unknown>, columns: Capabilities['columns']) => Promise<void>;

/** In the order of their names; a step that was released is never edited. */
export const STATE_STEPS: Readonly<Record<string, Step>> = {
  '0001-foundation': foundation,
  '0002-tokens-and-secrets': tokensAndSecrets,
};
const LOG_STEPS: Readonly<Record<string, Step>> = { '0001-logs': logs };

const migrations = (
  steps: Readonly<Record<string, Step>>,
  columns: Capabilities['columns'],
): Record<string, Migration> =>
  Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, { up: (db) => step(db, columns) }]));

/**
 * Brings one database to the newest shape. All steps that are missing happen in one transaction: killed at any moment,
 * they happened whole or not at all.
 */
const migrate = async (db: Kysely<unknown>, table: string, steps: Record<string, Migration>): Promise<void> => {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(steps) },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  if (error instanceof Error && error.message.startsWith('corrupted migrations')) {
    throw new StartError(
      'The database was made by a newer version of Signalbox: start that version, or restore a backup.',
    );
  }
  throw error;
};

/** Migrates the state and the logs, wherever each lives. */
export const migrateAll = async (
  database: Database,
  logsFile: Logs | undefined,
  stateSteps = STATE_STEPS,
): Promise<void> => {
  const { columns } = database.capabilities;
  const state = database.read as unknown as Kysely<unknown>;
  await migrate(state, 'migration', migrations(stateSteps, columns));
  await migrate((logsFile as unknown as Kysely<unknown>) ?? state, 'log_migration', migrations(LOG_STEPS, columns));
};
