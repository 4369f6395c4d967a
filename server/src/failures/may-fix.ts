import { type SqlBool, sql } from 'kysely';
import type { StateReader } from '../database/database.ts';

/** Condition for failures of a template that are not fixed on some of their hosts. */
export const isUnfixed = (table: string) => sql<SqlBool>`${sql.ref(`${table}.open_count`)} > 0`;

/** Whether an ended run may fix a failure of its template. */
export const mayFix = async (db: StateReader, { template_id }: { readonly template_id: number }): Promise<boolean> => {
  const row = await db
    .selectFrom('failure_template')
    .select('failure_id')
    .where('template_id', '=', template_id)
    .where(isUnfixed('failure_template'))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};
