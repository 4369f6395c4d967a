import type { FieldMessage, SurveyVariable } from '@signalbox/contract';
import { ApiError } from '../../../http/errors/api-error.ts';

/** Reads an integer answer, a number or digits; undefined for other text and for an integer that is too large to be exact. */
const integerOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
};
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * Checks the answers of a task against the survey of its template.
 * @param mayAddKeys whether the caller may give keys that the survey does not declare
 * @returns the answers as JSON text; answers to integer variables are numbers, also when they were sent as text
 * @throws bad_input naming the field, or not_permitted for an undeclared key
 */
export const checkAnswers = (survey: readonly SurveyVariable[], answersJson: string, mayAddKeys: boolean): string => {
  const answers = JSON.parse(answersJson) as Record<string, unknown>;
  const fields: Record<string, FieldMessage> = {};
  const numbers = new Map<string, number>();
  for (const variable of survey) {
    // A variable may be named `constructor`, so inherited properties must be ignored.
    const value = Object.hasOwn(answers, variable.name) ? answers[variable.name] : undefined;
    const title = variable.title || variable.name;
    if (isEmpty(value)) {
      if (variable.required) fields[`environment.${variable.name}`] = { code: 'answer.required', params: { title } };
    } else if (variable.type === 'int') {
      const number = integerOf(value);
      if (number === undefined) fields[`environment.${variable.name}`] = { code: 'answer.integer', params: { title } };
      else numbers.set(variable.name, number);
    } else if (typeof value === 'object') {
      fields[`environment.${variable.name}`] = { code: 'answer.text', params: { title } };
    }
  }
  if (Object.keys(fields).length > 0) throw ApiError.ofFields(fields);
  const declared = new Set(survey.map((variable) => variable.name));
  const foreign = Object.keys(answers).filter((name) => !declared.has(name));
  if (foreign.length > 0 && !mayAddKeys) {
    throw new ApiError('not_permitted.variables', { names: foreign.join(', ') });
  }
  if (numbers.size === 0) return answersJson;
  return JSON.stringify(
    Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, numbers.get(name) ?? value])),
  );
};
