import { readSurvey as readAnswers, SurveyVariable } from '@signalbox/contract';
import { z } from 'zod';
import type { StateReader } from '../database/database.ts';
import { badField } from '../http/errors/api-error.ts';

const Survey = z.array(SurveyVariable);

/** The survey of a template, as it is stored. */
export const surveyOf = ({ survey_vars }: { readonly survey_vars: string }): readonly SurveyVariable[] =>
  Survey.parse(JSON.parse(survey_vars));

/**
 * The survey of a template; undefined if there is no such template.
 * @param projectId also undefined if the template belongs to another project
 */
export const readSurvey = async (
  db: StateReader,
  templateId: number,
  projectId?: number,
): Promise<readonly SurveyVariable[] | undefined> => {
  const template = await db
    .selectFrom('template')
    .select('survey_vars')
    .where('id', '=', templateId)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .executeTakeFirst();
  return template && surveyOf(template);
};

/** Number of ids in one query: SQLite limits the parameters. */
const MAX_IDS = 1000;

/** The surveys of the templates of rows, by the id of the template. */
export const readSurveys = async (
  db: StateReader,
  rows: readonly { readonly template_id: number }[],
): Promise<ReadonlyMap<number, readonly SurveyVariable[]>> => {
  const ids = [...new Set(rows.map(({ template_id }) => template_id))];
  const surveys = new Map<number, readonly SurveyVariable[]>();
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const some = ids.slice(from, from + MAX_IDS);
    const found = db.selectFrom('template').select(['id', 'survey_vars']).where('id', 'in', some);
    for (const { id, survey_vars } of await found.where('survey_vars', '!=', '[]').execute())
      surveys.set(id, surveyOf({ survey_vars }));
  }
  return surveys;
};

/**
 * The titles of the required variables of a survey that are asked for and have neither an answer nor a default.
 * @param answersJson the answers by name, as JSON
 * @param secretAnswers names of the stored secret answers
 */
export const missingAnswers = (
  survey: readonly SurveyVariable[],
  answersJson: string,
  secretAnswers: readonly string[],
): string[] => {
  const secrets = Object.fromEntries(secretAnswers.map((name) => [name, '****']));
  const { problems } = readAnswers(survey, { ...(JSON.parse(answersJson) as object), ...secrets }, () => true);
  return survey
    .filter(({ name }) => problems.get(name)?.code === 'answer.required')
    .map(({ name, title }) => title || name);
};

/** The names of answers, as JSON, that are not variables of a survey. */
export const undeclaredVariables = (survey: readonly SurveyVariable[], answersJson: string): string[] => {
  const declared = new Set(survey.map(({ name }) => name));
  return Object.keys(JSON.parse(answersJson) as object).filter((name) => !declared.has(name));
};

/**
 * Refuses answers to variables that the survey does not have, and to secret ones, which must not be stored in plain text.
 * @param field names the field of an answer
 * @throws bad_input
 */
export const checkOpenAnswers = (
  survey: readonly SurveyVariable[],
  answers: readonly string[],
  field: (name: string) => string,
): void => {
  const types = new Map(survey.map(({ name, type }) => [name, type]));
  for (const name of answers) {
    if (!types.has(name)) throw badField(field(name), 'field.not_in_survey');
    if (types.get(name) === 'secret') throw badField(field(name), 'field.secret_answer');
  }
};
