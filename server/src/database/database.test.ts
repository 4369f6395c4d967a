import { CompiledQuery, sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from './database.ts';

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
