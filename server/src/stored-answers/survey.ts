import { SurveyVariable } from '@signalbox/contract';
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
