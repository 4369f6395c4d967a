import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { badField, notFound } from '../../http/errors/api-error.ts';
import { surveyOf } from '../../stored-answers/survey.ts';
import type { ReadChoices } from './choice-reader.ts';

/** Most choices of one answer. An answer to the variable may be any other choice too. */
const MAX_ANSWERED = 5000;

export const choicesRoutes = (database: Database, readChoices: ReadChoices): Pick<Handlers, 'listChoices'> => ({
  listChoices: async ({ params, actor }) => {
    const template = await database.read
      .selectFrom('template')
      .selectAll()
      .where('id', '=', params.template_id)
      .where('project_id', '=', params.project_id)
      .executeTakeFirst();
    if (!template) throw notFound();
    const variable = surveyOf(template).find(({ name }) => name === params.variable);
    if (!variable) throw badField('variable', 'field.not_in_survey');
    return (await readChoices({ template, variable, actor })).slice(0, MAX_ANSWERED);
  },
});
