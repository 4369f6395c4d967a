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

it('the reader of the database cannot write even as another type', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-reader-'));
  const database = openDatabase({ folder });
  onTestFinished(() => database.close().then(() => rmSync(folder, { recursive: true })));
  await sql`create table view (id integer)`.execute(database.autocommit);
  const cast = database.read as State;
  expect(() => cast.deleteFrom('view')).toThrow(TypeError);
  expect(() => cast.transaction()).toThrow(TypeError);
  await expect(async () => sql`delete from view`.execute(cast)).rejects.toThrow(TypeError);
  expect(await database.read.selectFrom('view').select('id').execute()).toEqual([]);
});
