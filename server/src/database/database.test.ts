import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Database, State } from './database.ts';
import { openDatabase } from './open-database.ts';

it('the reader of the database has no statement that writes', () => {
  const writes = [
    // @ts-expect-error -- a reader has no insert
    ({ read }: Database) => read.insertInto('view'),
    // @ts-expect-error -- a reader has no update
    ({ read }: Database) => read.updateTable('view'),
    // @ts-expect-error -- a reader has no delete
    ({ read }: Database) => read.deleteFrom('view'),
    // @ts-expect-error -- a reader has no merge
    ({ read }: Database) => read.mergeInto('view'),
    // @ts-expect-error -- a reader cannot begin a transaction
    ({ read }: Database) => read.transaction(),
    // @ts-expect-error -- a reader cannot change tables
    ({ read }: Database) => read.schema,
    // @ts-expect-error -- a reader does not run raw SQL
    ({ read }: Database) => sql`delete from view`.execute(read),
    // @ts-expect-error -- a reader does not run compiled SQL, which could write
    ({ read }: Database) => read.executeQuery(CompiledQuery.raw('delete from view')),
    // @ts-expect-error -- a reader has no common table expressions, which could write
    ({ read }: Database) => read.with('gone', (db) => db.deleteFrom('view').returning('id')),
    // @ts-expect-error -- a reader cannot be passed to code that writes
    ({ read }: Database): Database['autocommit'] => read,
  ];
  expect(writes).toHaveLength(10);
});

const openInFolder = (): Database => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-reader-'));
  const database = openDatabase({ folder });
  onTestFinished(() => database.close().then(() => rmSync(folder, { recursive: true })));
  return database;
};

it('the reader of the database cannot write even as another type', async () => {
  const database = openInFolder();
  await sql`create table view (id integer)`.execute(database.autocommit);
  const cast = database.read as State;
  expect(() => cast.deleteFrom('view')).toThrow(TypeError);
  expect(() => cast.transaction()).toThrow(TypeError);
  await expect(async () => sql`delete from view`.execute(cast)).rejects.toThrow(TypeError);
  expect(await database.read.selectFrom('view').select('id').execute()).toEqual([]);
});

/** Counts to two million, which takes much longer than a turn of the event loop. */
const LONG = sql<number>`(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 2000000)
  select count(*) from counted)`;

it('[S12] a long query of the reader apart leaves the event loop free on SQLite', async () => {
  const { readApart, autocommit } = openInFolder();
  await sql`create table view (id integer)`.execute(autocommit);
  let iterations = 0;
  let isReading = true;
  const count = (): void => {
    iterations += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const rows = await readApart.selectNoFrom(LONG.as('n')).execute();
  isReading = false;
  expect(rows).toEqual([{ n: 2_000_000 }]);
  expect(iterations).toBeGreaterThan(100);
});

it('the reader apart sees what was committed before, reports errors, and continues after them', async () => {
  const { readApart, autocommit } = openInFolder();
  await sql`create table view (id integer)`.execute(autocommit);
  const count = () => readApart.selectFrom('view').select('id').execute();
  for (let id = 1; id <= 3; id += 1) {
    await sql`insert into view values (${id})`.execute(autocommit);
    expect(await count()).toHaveLength(id);
  }
  await expect(readApart.selectFrom('task').selectAll().execute()).rejects.toThrow('no such table: task');
  expect(await Promise.all([count(), count()])).toEqual([await count(), await count()]);
});

it('the reader apart rejects a query during which the database is closed', async () => {
  const database = openInFolder();
  await sql`create table view (id integer)`.execute(database.autocommit);
  const reading = database.readApart.selectNoFrom(LONG.as('n')).execute();
  const rejected = expect(reading).rejects.toThrow('closed');
  await database.close();
  await rejected;
});
