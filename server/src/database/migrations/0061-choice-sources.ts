import type { Kysely } from 'kysely';

/** The rows as this step needs them. */
interface Templates {
  readonly template: { readonly id: number; readonly survey_vars: string };
}

/** A survey that cannot be read stays as it is: its template shows the error, as before. */
const completed = (survey: string): string => {
  try {
    const variables = JSON.parse(survey) as object[];
    return JSON.stringify(variables.map((variable) => ({ source: null, ...variable })));
  } catch {
    return survey;
  }
};

/** Adds the field of surveys that names the source of choices. Those of earlier versions are in the survey. */
export const choiceSources = async (db: Kysely<unknown>): Promise<void> => {
  const templates = (db as Kysely<Templates>).selectFrom('template').select(['id', 'survey_vars']);
  for (const { id, survey_vars } of await templates.where('survey_vars', '!=', '[]').execute())
    await (db as Kysely<Templates>)
      .updateTable('template')
      .set({ survey_vars: completed(survey_vars) } as never)
      .where('id', '=', id)
      .execute();
};
