import { type Kysely, sql } from 'kysely';
import { convertDescription } from './0036-old-descriptions.ts';

/** Events in memory at a time. Each takes three parameters of a statement, and SQLite allows 32766. */
const BATCH = 1000;

interface Row {
  readonly id: number;
  readonly object_type: string;
  readonly object_id: number | null;
  readonly object_name: string;
  readonly description: string;
}

const nextRows = async (db: Kysely<unknown>, after: number): Promise<readonly Row[]> =>
  (
    await sql<Row>`
      select id, object_type, object_id, object_name, params as description from event
      where id > ${after} order by id limit ${sql.lit(BATCH)}`.execute(db)
  ).rows;

/** The limits of the ids let PostgreSQL use the primary key, whatever its statistics are. */
const convert = async (db: Kysely<unknown>, rows: readonly Row[], first: number, last: number): Promise<void> => {
  const values = rows.map((row) => {
    const { kind, params } = convertDescription(row);
    return sql`(cast(${row.id} as integer), ${kind}, ${JSON.stringify(params)})`;
  });
  await sql`
    update event set kind = converted.column2, params = converted.column3 from (values ${sql.join(values)}) as converted
    where event.id = converted.column1 and event.id between ${first} and ${last}`.execute(db);
};

/**
 * Converts events to a kind with parameters in JSON. Known texts of older versions are parsed; other texts become the
 * parameter of the kind `text`.
 */
export const eventKinds = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('event').renameColumn('description', 'params').execute();
  await db.schema
    .alterTable('event')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('text'))
    .execute();
  for (let after = 0; ; ) {
    const rows = await nextRows(db, after);
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return;
    await convert(db, rows, first.id, last.id);
    after = last.id;
  }
};
