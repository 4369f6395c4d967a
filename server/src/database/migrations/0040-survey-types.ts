import { type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

/** The rows as this step needs them. */
interface Templates {
  readonly template: { readonly id: number; readonly survey_vars: string };
}

/** What a variable of an earlier version has. */
const ADDED = {
  default_value: '',
  placeholder: '',
  group: '',
  values: [],
  min: null,
  max: null,
  pattern: '',
  pattern_message: '',
  show_when: null,
};

/** A survey that cannot be read stays as it is: its template shows the error, as before. */
const completed = (survey: string): string => {
  try {
    const variables = JSON.parse(survey) as object[];
    return JSON.stringify(variables.map((variable) => ({ ...ADDED, ...variable })));
  } catch {
    return survey;
  }
};

/** Adds the fields of surveys that have defaults, choices, limits and conditions, and a table for secret answers. */
export const surveyTypes = async (db: Kysely<unknown>, columns: Capabilities['columns']): Promise<void> => {
  const templates = (db as Kysely<Templates>).selectFrom('template').select(['id', 'survey_vars']);
  for (const { id, survey_vars } of await templates.where('survey_vars', '!=', '[]').execute())
    await (db as Kysely<Templates>)
      .updateTable('template')
      .set({ survey_vars: completed(survey_vars) } as never)
      .where('id', '=', id)
      .execute();
  await db.schema
    .createTable('task_secret')
    .addColumn('id', sql.raw(columns.idOnce))
    .addColumn('task_id', 'integer', (c) => c.notNull().references('task.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('task_secret_task').on('task_secret').column('task_id').execute();
};
