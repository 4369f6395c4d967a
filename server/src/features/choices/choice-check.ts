import { type FieldMessage, isEmptyAnswer, readAnswer, type SurveyVariable } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import type { CheckChoices } from '../../stored-answers/launch-checks.ts';
import { surveyOf } from '../../stored-answers/survey.ts';
import type { ReadChoices } from './choice-reader.ts';

const matchesAny = (): boolean => true;

/** What is wrong with an answer, given the choices that its source has now. */
const problemOf = (variable: SurveyVariable, answer: unknown): FieldMessage | undefined => {
  const read = readAnswer({ ...variable, source: null }, answer, matchesAny);
  return 'problem' in read ? read.problem : undefined;
};

/**
 * Makes the check of answers against the sources of their choices. It runs before the transaction of a launch, because a
 * source may take long to answer. A default that no answer replaces is not checked: a user who may edit the template
 * has chosen it.
 * @throws bad_input naming the answer, or conflict or unavailable when a source cannot be read
 */
export const choiceCheck =
  (database: Database, readChoices: ReadChoices): CheckChoices =>
  async ({ projectId, templateId, environment, actor }) => {
    const answers = JSON.parse(environment) as Readonly<Record<string, unknown>>;
    if (Object.keys(answers).length === 0) return;
    const template = await database.read
      .selectFrom('template')
      .selectAll()
      .where('id', '=', templateId)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    // The launch refuses it.
    if (!template) return;
    const problems: [string, FieldMessage][] = [];
    for (const variable of surveyOf(template)) {
      const { name, source } = variable;
      const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
      if (source === null || isEmptyAnswer(answer)) continue;
      const values = await readChoices({ template, variable, actor });
      const problem = problemOf({ ...variable, values: [...values] }, answer);
      if (problem) problems.push([`environment.${name}`, problem]);
    }
    if (problems.length > 0) throw ApiError.ofFields(Object.fromEntries(problems));
  };

/** Whether the survey of a template has choices that come from a source. */
export const comeFromSources = async (database: Database, templateId: number): Promise<boolean> => {
  const template = await database.read
    .selectFrom('template')
    .select('survey_vars')
    .where('id', '=', templateId)
    .executeTakeFirst();
  return template !== undefined && surveyOf(template).some(({ source }) => source !== null);
};
