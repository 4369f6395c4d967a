import pg from 'pg';
import { type Cell, isData, MIGRATION_TABLE, partOf, type Snapshot, type SnapshotTable } from '../../snapshot.ts';
import { types } from './postgres-dialect.ts';
import { readNextIds } from './postgres-next-ids.ts';

/** Rows per fetch. */
const FETCH = 500;

const quoted = (name: string): string => pg.escapeIdentifier(name);

const textsOf = async (client: pg.Client, sql: string): Promise<string[]> =>
  (await client.query<string[]>({ text: sql, rowMode: 'array' })).rows.map(([text]) => text ?? '');

const columnsOf = (client: pg.Client, table: string): Promise<string[]> =>
  textsOf(
    client,
    `select column_name from information_schema.columns
     where table_schema = current_schema() and table_name = ${pg.escapeLiteral(table)} order by ordinal_position`,
  );

const tablesOf = async (client: pg.Client): Promise<SnapshotTable[]> => {
  const names = await textsOf(
    client,
    'select tablename from pg_tables where schemaname = current_schema() order by tablename',
  );
  const tables: SnapshotTable[] = [];
  for (const name of names.filter(isData)) {
    const [rows = '0'] = await textsOf(client, `select count(*)::text from ${quoted(name)}`);
    tables.push({ name, part: partOf(name), columns: await columnsOf(client, name), rows: Number(rows) });
  }
  return tables;
};

async function* rowsOf(client: pg.Client, { name, columns }: SnapshotTable): AsyncGenerator<readonly Cell[]> {
  const order = columns.includes('id') ? ' order by id' : '';
  await client.query(`declare snapshot_rows no scroll cursor for
    select ${columns.map(quoted).join(', ')} from ${quoted(name)}${order}`);
  for (;;) {
    const { rows } = await client.query<Cell[]>({ text: `fetch ${FETCH} from snapshot_rows`, rowMode: 'array' });
    yield* rows;
    if (rows.length < FETCH) break;
  }
  await client.query('close snapshot_rows');
}

/** Reads a consistent snapshot of the database. */
export const withPostgresSnapshot = async <T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, types, application_name: 'signalbox backup' });
  // The failing statement reports the error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const tables = await tablesOf(client);
    return await work({
      tables,
      steps: {
        state: await textsOf(client, `select name from ${MIGRATION_TABLE.state} order by name`),
        logs: await textsOf(client, `select name from ${MIGRATION_TABLE.logs} order by name`),
      },
      nextIds: await readNextIds((query) => textsOf(client, query)),
      rows: (table) => rowsOf(client, table),
    });
  } finally {
    await client.end();
  }
};
