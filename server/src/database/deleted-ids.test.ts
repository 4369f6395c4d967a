import { type Kysely, sql, type TableMetadata } from 'kysely';
import { expect, it } from 'vitest';
import { withOpenLocation } from '../testing/database/database-snapshot.ts';
import { describeEachEmptyDatabase } from '../testing/database/databases.ts';
import { fillFoundation } from '../testing/database/foundation-rows.ts';
import type { State } from './database.ts';
import { migrateAll, STATE_STEPS } from './migrate.ts';
import { isData } from './snapshot.ts';

type Db = Kysely<never>;

const tablesWithIds = async (db: Db): Promise<TableMetadata[]> =>
  (await db.introspection.getTables()).filter(
    ({ name, isView, columns }) => !isView && isData(name) && columns.some((column) => column.name === 'id'),
  );

/** Drops foreign keys and checks, so that any values can be inserted: these tests are about ids only. */
const dropRules = async (db: Db, kind: 'sqlite' | 'postgres'): Promise<void> => {
  if (kind === 'sqlite') {
    await sql`pragma foreign_keys = off`.execute(db);
    await sql`pragma ignore_check_constraints = on`.execute(db);
    return;
  }
  const { rows } = await sql<{ tbl: string; name: string }>`
    select conrelid::regclass::text as tbl, conname as name from pg_constraint
    where contype in ('c', 'f') and connamespace = current_schema()::regnamespace`.execute(db);
  for (const { tbl, name } of rows) await sql`alter table ${sql.raw(tbl)} drop constraint ${sql.ref(name)}`.execute(db);
};

let value = 0;

/** Inserts a row with a new value in each column that needs one, and returns its id. */
const insertRow = async (db: Db, { name, columns }: TableMetadata): Promise<number> => {
  value++;
  const needed = columns.filter((column) => column.name !== 'id' && !column.isNullable && !column.hasDefaultValue);
  const names = sql.join(needed.map((column) => sql.ref(column.name)));
  const values = sql.join(needed.map(({ dataType }) => (/int/i.test(dataType) ? value : `${value}`)));
  const row = needed.length === 0 ? sql`default values` : sql`(${names}) values (${values})`;
  const { rows } = await sql<{ id: number }>`insert into ${sql.table(name)} ${row} returning id`.execute(db);
  return rows[0]?.id ?? 0;
};

const deleteRow = async (db: Db, table: string, id: number): Promise<void> => {
  await sql`delete from ${sql.table(table)} where id = ${id}`.execute(db);
};

const insertProject = async (read: State): Promise<number> => {
  const input = { name: `P${value++}`, alert: 0, alert_chat: '', max_parallel_tasks: 0, created: '' } as const;
  return (await read.insertInto('project').values(input).returning('id').executeTakeFirstOrThrow()).id;
};

const insertView = async (read: State): Promise<number> => {
  const input = { project_id: 1, title: `V${value++}`, position: 9 };
  return (await read.insertInto('view').values(input).returning('id').executeTakeFirstOrThrow()).id;
};

describeEachEmptyDatabase('the id of a deleted row', (makeLocation) => {
  it('is never reused, in any table with ids', async () => {
    await withOpenLocation(await makeLocation(), async (database, logs) => {
      await migrateAll(database, logs);
      const reused: string[] = [];
      let count = 0;
      for (const db of [database.autocommit, logs].flatMap((one) => (one ? [one as unknown as Db] : []))) {
        await dropRules(db, database.capabilities.name);
        for (const table of await tablesWithIds(db)) {
          count++;
          await insertRow(db, table);
          const newest = await insertRow(db, table);
          await deleteRow(db, table.name, newest);
          if ((await insertRow(db, table)) !== newest + 1) reused.push(table.name);
        }
      }
      expect(count).toBeGreaterThan(20);
      expect(reused, 'create the ids of these tables with columns.idOnce').toEqual([]);
    });
  });

  it('is not reused after an upgrade and a restart', async () => {
    const location = await makeLocation();
    const before = Object.fromEntries(Object.entries(STATE_STEPS).filter(([name]) => name < '0025'));
    const deleted = await withOpenLocation(location, async (database, logs) => {
      await migrateAll(database, logs, { state: before });
      await fillFoundation(database.autocommit as unknown as Db);
      // Before the upgrade, only some tables kept their ids from being reused. Projects are one of them.
      const id = await insertProject(database.autocommit);
      await deleteRow(database.autocommit as unknown as Db, 'project', id);
      return id;
    });
    const view = await withOpenLocation(location, async (database, logs) => {
      await migrateAll(database, logs);
      expect(await insertProject(database.autocommit)).toBe(deleted + 1);
      const id = await insertView(database.autocommit);
      await deleteRow(database.autocommit as unknown as Db, 'view', id);
      return id;
    });
    expect(await withOpenLocation(location, ({ autocommit }) => insertView(autocommit))).toBe(view + 1);
  });
});
