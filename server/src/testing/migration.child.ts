import { join } from 'node:path';
import { Kysely } from 'kysely';
import { Database, type Logs } from '../database/database.ts';
import { postgresCapabilities } from '../database/dialects/postgres/postgres-capabilities.ts';
import { postgresDialect } from '../database/dialects/postgres/postgres-dialect.ts';
import { sqliteCapabilities } from '../database/dialects/sqlite/sqlite-capabilities.ts';
import { sqliteDialect } from '../database/dialects/sqlite/sqlite-dialect.ts';
import { migrateAll } from '../database/migrate.ts';
import { LOGS_FILE, STATE_FILE } from '../database/open-database.ts';
import { StatementCounter } from './statement-counter.ts';

/**
 * `node migration.child.ts <folder> <address or ''> <number> <before|sent>`: migrates, and dies by SIGKILL at the
 * statement of that number; `0` is none. One that lives prints how many statements it took.
 */
const [, , folder = '', url = '', number = '0', moment = 'before'] = process.argv;

const die = (): void => void process.kill(process.pid, 'SIGKILL');

const counter = new StatementCounter((at, run) => {
  if (at !== Number(number)) return run();
  if (moment === 'before') die();
  const sent = run();
  // SQLite has done it by now; PostgreSQL has been told, and nobody waits for its answer.
  die();
  return sent;
});

const open = <Schema>(file: string): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: counter.wrap(sqliteDialect(join(folder, file))) });

if (url === '') {
  await migrateAll(new Database(open(STATE_FILE), sqliteCapabilities), open(LOGS_FILE) as Logs);
} else {
  const { dialect } = postgresDialect(url);
  await migrateAll(new Database(new Kysely({ dialect: counter.wrap(dialect) }), postgresCapabilities), undefined);
}
process.stdout.write(String(counter.count));
process.exit(0);
