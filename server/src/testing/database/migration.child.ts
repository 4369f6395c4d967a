import { join } from 'node:path';
import { Kysely } from 'kysely';
import { Database, type Logs } from '../../database/database.ts';
import { postgresCapabilities } from '../../database/dialects/postgres/postgres-capabilities.ts';
import { postgresDialect } from '../../database/dialects/postgres/postgres-dialect.ts';
import { sqliteCapabilities } from '../../database/dialects/sqlite/sqlite-capabilities.ts';
import { sqliteDialect } from '../../database/dialects/sqlite/sqlite-dialect.ts';
import { LOGS_FILE } from '../../database/file-names.ts';
import { migrateAll, STATE_STEPS } from '../../database/migrate.ts';
import { STATE_FILE } from '../../database/open-database.ts';
import { StatementCounter } from './statement-counter.ts';

/**
 * `node migration.child.ts <folder> <PostgreSQL URL, or '' for SQLite> <number> <before|sent>`: migrates a database, and
 * kills itself before or after sending the statement with that number; with `0` it runs to its end. Then it prints the
 * number of statements, and how many of them came before the newest step of the state database.
 */
const [, , folder = '', url = '', number = '0', moment = 'before'] = process.argv;

const killItself = (): void => void process.kill(process.pid, 'SIGKILL');

const counter = new StatementCounter((at, run) => {
  if (at !== Number(number)) return run();
  if (moment === 'before') killItself();
  const sent = run();
  // At this point SQLite has executed the statement. PostgreSQL has received it, and executes it although the client is dead.
  killItself();
  return sent;
});

const open = <Schema>(file: string): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: counter.wrap(sqliteDialect(join(folder, file))) });

/** Number of statements before the newest step. */
let statementsBefore = 0;

const [newest, newestStep] = Object.entries(STATE_STEPS)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .at(-1) ?? ['', () => Promise.resolve()];

const state: typeof STATE_STEPS = {
  ...STATE_STEPS,
  [newest]: async (...args) => {
    statementsBefore = counter.count;
    await newestStep(...args);
  },
};

if (url === '') {
  await migrateAll(new Database(open(STATE_FILE), sqliteCapabilities), open(LOGS_FILE) as Logs, { state });
} else {
  const { dialect } = postgresDialect(url);
  await migrateAll(new Database(new Kysely({ dialect: counter.wrap(dialect) }), postgresCapabilities), undefined, {
    state,
  });
}
process.stdout.write(JSON.stringify({ statements: counter.count, earlier: statementsBefore }));
process.exit(0);
