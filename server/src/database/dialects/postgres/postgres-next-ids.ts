import pg from 'pg';

/** Runs a query with one column of text. */
type QueryTexts = (query: string) => Promise<readonly string[]>;

/** Next id of each table whose `id` is an identity column, in the current schema. */
export const readNextIds = async (queryTexts: QueryTexts): Promise<Record<string, number>> => {
  const tables = await queryTexts(
    `select table_name::text from information_schema.columns
     where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES'`,
  );
  const next: Record<string, number> = {};
  for (const table of tables) {
    const name = pg.escapeLiteral(pg.escapeIdentifier(table));
    const [sequence = ''] = await queryTexts(`select pg_get_serial_sequence(${name}, 'id')`);
    // pg_sequences does not show a value that a restore set until the first id is taken.
    const [value = '1'] = await queryTexts(
      `select (last_value + case when is_called then 1 else 0 end)::text from ${sequence}`,
    );
    next[table] = Number(value);
  }
  return next;
};
