import type { ChoiceSource } from '../entities/choice-source.ts';
import type { FieldMessage } from '../messages/field-errors.ts';
import type { MatchesPattern } from './answers.ts';
import { readAnswer } from './read-answer.ts';
import { hasChoices, hasDefault } from './survey-types.ts';
import type { SurveyVariable } from './survey-variable.ts';

type Problems = [field: string, problem: FieldMessage][];

const sourceProblems = ({ type, template_id, url }: ChoiceSource): Problems => {
  if (type === 'versions' && template_id === null) return [['source.template_id', { code: 'field.required' }]];
  return type === 'address' && url === '' ? [['source.url', { code: 'field.required' }]] : [];
};

const choiceProblems = ({ type, values, source }: SurveyVariable): Problems => {
  if (!hasChoices(type)) return [];
  if (source !== null) return sourceProblems(source);
  const found: Problems = values.length === 0 ? [['values', { code: 'field.required' }]] : [];
  const before = new Set<string>();
  for (const [index, { value }] of values.entries()) {
    const field = `values.${index}.value`;
    if (before.has(value)) found.push([field, { code: 'field.choice_twice', params: { value } }]);
    before.add(value);
    if (type === 'multiple' && /[,\n]/.test(value)) found.push([field, { code: 'field.choice_comma' }]);
  }
  return found;
};

/** A pattern is not checked here: only the server has the program that matches it. */
const matchesAny: MatchesPattern = () => true;

const defaultProblem = (variable: SurveyVariable): Problems => {
  const { type, default_value } = variable;
  if (default_value === '') return [];
  if (!hasDefault(type)) return [['default_value', { code: 'field.secret_default' }]];
  const read = readAnswer(variable, default_value, matchesAny);
  return 'problem' in read ? [['default_value', { code: 'field.default' }]] : [];
};

const conditionProblem = ({ show_when }: SurveyVariable, earlier: readonly SurveyVariable[]): Problems => {
  if (show_when === null) return [];
  const asked = earlier.find(({ name, type }) => name === show_when.variable && type !== 'secret');
  return asked ? [] : [['show_when.variable', { code: 'field.earlier_variable' }]];
};

const limitsProblem = ({ min, max }: SurveyVariable): Problems =>
  min !== null && max !== null && max < min ? [['max', { code: 'field.max_below_min' }]] : [];

/** What is wrong with the variables of a survey beyond each field of its own, by field: `2.values.0.value`. */
export const surveyProblems = (survey: readonly SurveyVariable[]): Problems =>
  survey.flatMap((variable, index) =>
    [
      ...choiceProblems(variable),
      ...limitsProblem(variable),
      ...defaultProblem(variable),
      ...conditionProblem(variable, survey.slice(0, index)),
    ].map(([field, problem]): Problems[number] => [`${index}.${field}`, problem]),
  );
