import { type RawBuilder, sql } from 'kysely';

/** An id for one new row, that no row of the table ever had. */
export const newId = (table: 'task' | 'repository' | 'project'): RawBuilder<number> =>
  sql<number>`(select id from ${sql.table(`next_${table}_id`)})`;
