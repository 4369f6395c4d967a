import type { SurveyVariable } from '@signalbox/contract';
import { ApiError } from '../../http/api-error.ts';

const isInteger = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^\d+$/.test(value);
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * Checks the answers of a task against what its template asks.
 * @param mayAddKeys whether the caller may give keys that the survey does not declare
 * @throws bad_input naming the field, or not_permitted for an undeclared key
 */
export const checkAnswers = (survey: readonly SurveyVariable[], answersJson: string, mayAddKeys: boolean): void => {
  const answers = JSON.parse(answersJson) as Record<string, unknown>;
  const fields: Record<string, string> = {};
  for (const variable of survey) {
    // A variable may be named `constructor`: only what was answered counts.
    const value = Object.hasOwn(answers, variable.name) ? answers[variable.name] : undefined;
    const title = variable.title || variable.name;
    if (isEmpty(value)) {
      if (variable.required) fields[`environment.${variable.name}`] = `${title} is required`;
    } else if (variable.type === 'int' && !isInteger(value)) {
      fields[`environment.${variable.name}`] = `${title} must be integer`;
    } else if (typeof value === 'object') {
      fields[`environment.${variable.name}`] = `${title} must be text`;
    }
  }
  const faults = Object.values(fields);
  if (faults.length > 0) throw new ApiError('bad_input', `${faults.join('; ')}.`, fields);
  const declared = new Set(survey.map((variable) => variable.name));
  const foreign = Object.keys(answers).filter((name) => !declared.has(name));
  if (foreign.length > 0 && !mayAddKeys) {
    throw new ApiError(
      'not_permitted',
      `Your role does not permit variables that the survey does not ask for: ${foreign.join(', ')}.`,
    );
  }
};
