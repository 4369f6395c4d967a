import { type Kysely, sql } from 'kysely';
import type { Cell, SnapshotTable, SnapshotWriter } from '../../snapshot.ts';
import { readNextIds } from './postgres-next-ids.ts';

/** Maximum number of values per statement. The protocol allows 65,535. */
const MAX_VALUES = 20_000;
/** Maximum bytes of texts and log blocks in one statement. */
const MAX_BYTES = 8_000_000;

interface Constraint {
  readonly tbl: string;
  readonly name: string;
  readonly definition: string;
}

type Db = Kysely<never>;

/** Next id of each table in a PostgreSQL database; empty if the database was never migrated. */
export const nextIdsInServer = async (db: Db): Promise<Record<string, number>> => {
  const queryTexts = async (query: string): Promise<string[]> =>
    (await sql<{ text: string }>`select text from (${sql.raw(query)}) as answer (text)`.execute(db)).rows.map(
      ({ text }) => text,
    );
  const migrated = await queryTexts(`select to_regclass('migration')::text where to_regclass('migration') is not null`);
  return migrated.length === 0 ? {} : await readNextIds(queryTexts);
};

/** Drops every table and view of the current schema. */
export const emptySchema = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  for (const { name } of rows) await sql`drop table if exists ${sql.table(name)} cascade`.execute(db);
  const views = await sql<{ name: string }>`
    select viewname as name from pg_views where schemaname = current_schema()`.execute(db);
  for (const { name } of views.rows) await sql`drop view if exists ${sql.table(name)} cascade`.execute(db);
};

/** Foreign keys are checked at the end, because rows may refer to later rows. */
const withoutReferences = async <T>(db: Db, work: () => Promise<T>): Promise<T> => {
  const { rows } = await sql<Constraint>`
    select conrelid::regclass::text as tbl, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(db);
  for (const { tbl, name } of rows) await sql`alter table ${sql.raw(tbl)} drop constraint ${sql.ref(name)}`.execute(db);
  const result = await work();
  for (const { tbl, name, definition } of rows)
    await sql`alter table ${sql.raw(tbl)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db);
  return result;
};

const makeWriter = (db: Db): SnapshotWriter & { flush(): Promise<void> } => {
  let table: SnapshotTable | undefined;
  let rows: (readonly Cell[])[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (!table || rows.length === 0) return;
    const columns = sql.join(table.columns.map((name) => sql.ref(name)));
    const values = sql.join(rows.map((row) => sql`(${sql.join(row)})`));
    await sql`insert into ${sql.table(table.name)} (${columns}) values ${values}`.execute(db);
    [rows, bytes] = [[], 0];
  };
  return {
    begin: async (next) => {
      await flush();
      table = next;
    },
    add: async (row) => {
      rows.push(row);
      for (const cell of row)
        if (cell instanceof Uint8Array) bytes += cell.byteLength;
        else if (typeof cell === 'string') bytes += cell.length;
      if ((rows.length + 1) * row.length > MAX_VALUES || bytes > MAX_BYTES) await flush();
    },
    flush,
  };
};

/** Fills a migrated empty database, in the transaction of `db`. */
export const fillPostgres = async <T>(
  db: Db,
  nextIds: Readonly<Record<string, number>>,
  work: (writer: SnapshotWriter) => Promise<T>,
): Promise<T> => {
  const result = await withoutReferences(db, async () => {
    const writer = makeWriter(db);
    const worked = await work(writer);
    await writer.flush();
    return worked;
  });
  for (const [table, next] of Object.entries(nextIds)) {
    await sql`
      select setval(sequence, ${next}, false)
      from (select pg_get_serial_sequence(${sql.lit(`"${table}"`)}, 'id') as sequence) as found
      where sequence is not null`.execute(db);
  }
  return result;
};
