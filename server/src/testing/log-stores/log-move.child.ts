import { join } from 'node:path';
import { Kysely } from 'kysely';
import { Database, type Logs } from '../../database/database.ts';
import { postgresCapabilities } from '../../database/dialects/postgres/postgres-capabilities.ts';
import { postgresDialect } from '../../database/dialects/postgres/postgres-dialect.ts';
import { sqliteCapabilities } from '../../database/dialects/sqlite/sqlite-capabilities.ts';
import { sqliteDialect } from '../../database/dialects/sqlite/sqlite-dialect.ts';
import { LOGS_FILE } from '../../database/file-names.ts';
import { STATE_FILE } from '../../database/open-database.ts';
import { databaseLogStore } from '../../logs/database-log.store.ts';
import { sweepLogs } from '../../logs/objects/log-mover.ts';
import { readLogStoreRow, secretOf } from '../../logs/objects/log-store-row.ts';
import type { ObjectStore } from '../../logs/objects/object-store.ts';
import { openObjectStore } from '../../logs/objects/open-object-store.ts';
import { loadMasterKey } from '../../secrets/master-key.ts';
import type { LogStoreTarget } from '../../settings/log-store-settings.ts';
import { StatementCounter } from '../database/statement-counter.ts';

/**
 * `node log-move.child.ts <folder> <PostgreSQL URL, or '' for SQLite> <end>`: moves the logs that are due to the target
 * that SIGNALBOX_TEST_TARGET names as JSON. It kills itself after the step with the number `end`, with `0` not at all, or
 * before the first statement that starts with `end`. A step is a statement, or a call of the store. Then it prints the
 * number of steps.
 */
const [, , folder = '', url = '', end = '0'] = process.argv;
const target = JSON.parse(process.env.SIGNALBOX_TEST_TARGET ?? '') as LogStoreTarget;

let steps = 0;

const step = async <T>(work: () => Promise<T>): Promise<T> => {
  steps += 1;
  if (steps !== Number(end)) return await work();
  const sent = work();
  // A statement was executed by SQLite, and is executed by PostgreSQL although its client is dead. A call has begun.
  if (steps % 2 === 0) process.kill(process.pid, 'SIGKILL');
  await sent;
  process.kill(process.pid, 'SIGKILL');
  return sent;
};

const counter = new StatementCounter((_, run, text) => {
  if (text.startsWith(end)) process.kill(process.pid, 'SIGKILL');
  return step(run);
});
const open = <Schema>(file: string): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: counter.wrap(sqliteDialect(join(folder, file))) });

const database =
  url === ''
    ? new Database(open(STATE_FILE), sqliteCapabilities)
    : new Database(new Kysely({ dialect: counter.wrap(postgresDialect(url).dialect) }), postgresCapabilities);
const logs = url === '' ? (open(LOGS_FILE) as Logs) : (database.autocommit as unknown as Logs);

const opened = openObjectStore(target);
const store: ObjectStore = {
  address: opened.address,
  put: (...object) => step(() => opened.put(...object)),
  read: (...range) => step(() => opened.read(...range)),
  list: (after) => opened.list(after),
  remove: (name) => step(() => opened.remove(name)),
};

const row = await readLogStoreRow(database);
if (!row) throw new Error('The database has no log store.');
const secret = secretOf(loadMasterKey(undefined, folder, []), row);
steps = 0;
await sweepLogs(
  {
    database,
    logs: databaseLogStore(logs, database.capabilities, { store, secret }),
    store,
    row,
    clock: { now: () => new Date() },
    afterHours: 0,
    onError: (error) => {
      throw error;
    },
  },
  new AbortController().signal,
);
process.stdout.write(String(steps));
process.exit(0);
