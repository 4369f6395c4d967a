import { type Kysely, type RawBuilder, sql } from 'kysely';

/** How Kysely wrote the id column in the `create table` statements of the migrations before this one. */
const PLAIN = '"id" integer primary key';

/** Selects the highest id that a table is known to have had. `newest_gone` holds the highest deleted id of some tables. */
const highestId = (table: string): RawBuilder<unknown> => sql`
  select ${sql.lit(table)}, max(
    coalesce((select max(id) from ${sql.table(table)}), 0),
    coalesce((select id from newest_gone where name = ${sql.lit(table)}), 0))`;

/**
 * Changes every table with an id as if it had been created with `autoincrement`. SQLite has no statement for that, and
 * replacing a table would delete the rows that refer to it. So this edits the stored `create table` texts, as described in
 * https://www.sqlite.org/lang_altertable.html#otheralter. Rows and indexes stay as they are.
 */
export const makeAutoincrement = async (db: Kysely<never>): Promise<void> => {
  // SQLite creates its table of counters, sqlite_sequence, together with the first table that needs a counter.
  await sql`create table first_counter (id integer primary key autoincrement)`.execute(db);
  await sql`drop table first_counter`.execute(db);
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_schema
    where type = 'table' and instr(sql, ${PLAIN}) > 0 and instr(sql, ${`${PLAIN} autoincrement`}) = 0`.execute(db);
  const counters = sql.join(
    tables.map(({ name }) => highestId(name)),
    sql` union all `,
  );
  await sql`insert into sqlite_sequence (name, seq) ${counters}`.execute(db);
  const { rows } = await sql<{ schema_version: number }>`pragma schema_version`.execute(db);
  await sql`pragma writable_schema = on`.execute(db);
  try {
    await sql`
      update sqlite_schema set sql = replace(sql, ${PLAIN}, ${`${PLAIN} autoincrement`})
      where type = 'table' and name in (${sql.join(tables.map(({ name }) => name))})`.execute(db);
    // Makes every connection, this one included, read the schema again.
    await sql`pragma schema_version = ${sql.lit((rows[0]?.schema_version ?? 0) + 1)}`.execute(db);
  } finally {
    await sql`pragma writable_schema = off`.execute(db);
  }
};
