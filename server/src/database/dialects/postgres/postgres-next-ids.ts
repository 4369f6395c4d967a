import pg from 'pg';

/** Runs a query with one column of text. */
type QueryTexts = (query: string) => Promise<readonly string[]>;

/** The next id of each table of the schema whose ids count on by themselves. */
export const readNextIds = async (queryTexts: QueryTexts): Promise<Record<string, number>> => {
  const tables = await queryTexts(
    `select table_name::text from information_schema.columns
     where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES'`,
  );
  const next: Record<string, number> = {};
  for (const table of tables) {
    const name = pg.escapeLiteral(pg.escapeIdentifier(table));
    const [sequence = ''] = await queryTexts(`select pg_get_serial_sequence(${name}, 'id')`);
    // Not pg_sequences: it does not show the value that a restore has set before the first id is given.
    const [value = '1'] = await queryTexts(
      `select (last_value + case when is_called then 1 else 0 end)::text from ${sequence}`,
    );
    next[table] = Number(value);
  }
  return next;
};
