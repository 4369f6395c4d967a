import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestLocation } from './databases.ts';

const CHILD = fileURLToPath(new URL('./migration.child.ts', import.meta.url));

/** A cache of compiled code, because many processes are started. */
const CACHE = join(tmpdir(), 'signalbox-test-compiled');

/** The server side of a killed connection may live a little longer and finish its statement. */
const connectionsGone = async (databaseUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const others =
    "select 1 from pg_stat_activity where datname = current_database() and application_name like 'signalbox ________'";
  while ((await client.query(others)).rowCount !== 0) await setTimeout(5);
  await client.end();
};

/**
 * Immediately before or after a statement is sent. After it, SQLite has executed the statement, and PostgreSQL is
 * executing it.
 */
export type Moment = 'before' | 'sent';

/**
 * How a migration ended: killed as requested, or finished after a number of statements. `earlier` of them came before the
 * newest step of the state database.
 */
export type MigrationEnd = 'killed' | { readonly statements: number; readonly earlier: number };

/**
 * Migrates a location in a process that kills itself at a statement.
 * @throws when it fails in any other way
 */
export const migrateUntil = async (
  location: TestLocation,
  kill?: { readonly statement: number; readonly moment: Moment },
): Promise<MigrationEnd> => {
  const args = [location.folder, location.databaseUrl ?? '', String(kill?.statement ?? 0), kill?.moment ?? 'before'];
  const child = spawn(process.execPath, [CHILD, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: CACHE },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (location.databaseUrl !== undefined) await connectionsGone(location.databaseUrl);
  if (signal === 'SIGKILL') return 'killed';
  if (code === 0) return JSON.parse(output) as MigrationEnd;
  throw new Error(`The migration ended with ${code ?? signal}: ${errors}`);
};
