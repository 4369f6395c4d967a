import { type FieldMessage, readSurvey, type SurveyVariable } from '@signalbox/contract';
import { ApiError } from '../../../http/errors/api-error.ts';
import { undeclaredVariables } from '../../../stored-answers/survey.ts';
import { findMismatches } from '../../../survey-pattern.ts';

export interface CheckedAnswers {
  /** JSON text of the answers that are no secrets, each as the type of its variable. */
  readonly json: string;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Checks the answers of a task against the survey of its template, and adds the defaults.
 * @param mayAddKeys whether the caller may give keys that the survey does not declare
 * @throws bad_input naming the field, or not_permitted for an undeclared key
 */
export const checkAnswers = async (
  survey: readonly SurveyVariable[],
  answersJson: string,
  mayAddKeys: boolean,
): Promise<CheckedAnswers> => {
  const given = JSON.parse(answersJson) as Record<string, unknown>;
  const mismatches = await findMismatches(survey, given);
  const { answers, problems } = readSurvey(survey, given, ({ name }) => !mismatches.has(name));
  if (problems.size > 0) {
    const fields = [...problems].map(([name, problem]): [string, FieldMessage] => [`environment.${name}`, problem]);
    throw ApiError.ofFields(Object.fromEntries(fields));
  }
  const declared = new Set(survey.map((variable) => variable.name));
  const foreign = undeclaredVariables(survey, answersJson);
  if (foreign.length > 0 && !mayAddKeys) {
    throw new ApiError('not_permitted.variables', { names: foreign.join(', ') });
  }
  const isSecret = new Set(survey.filter(({ type }) => type === 'secret').map(({ name }) => name));
  const all = Object.entries({ ...given, ...Object.fromEntries(answers) }).filter(
    // Null replaces a default by no answer.
    ([name, answer]) => !declared.has(name) || answer !== null,
  );
  const secrets = all.filter(([name, answer]) => isSecret.has(name) && typeof answer === 'string' && answer !== '');
  return {
    json: JSON.stringify(Object.fromEntries(all.filter(([name]) => !isSecret.has(name)))),
    secrets: new Map(secrets as [string, string][]),
  };
};
