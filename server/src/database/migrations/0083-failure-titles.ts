import { type Kysely, sql } from 'kysely';

/** Stores title and step of a failure for each template, so that they can be shown without those of hidden templates. */
export const failureTitles = async (db: Kysely<unknown>): Promise<void> => {
  for (const name of ['title', 'step']) {
    await db.schema
      .alterTable('failure_template')
      .addColumn(name, 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await sql`
      update failure_template
      set ${sql.ref(name)} = (select f.${sql.ref(name)} from failure f where f.id = failure_template.failure_id)
    `.execute(db);
  }
};
