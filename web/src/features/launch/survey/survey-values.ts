import type { SurveyVariable } from '@signalbox/contract';
import { type Answer, fixedAnswerProblems, isEmptyAnswer, readAnswer, readSurvey } from '@signalbox/contract/survey';
import { mayMatch } from './answer-pattern.ts';

/** The answer in a form: the chosen values of `multiple`, `true` or `false` of `bool`, else text. */
export type AnswerValue = string | string[];

export type AnswerValues = Record<string, AnswerValue>;

const emptyValue = ({ type }: SurveyVariable): AnswerValue => {
  if (type === 'multiple') return [];
  return type === 'bool' ? 'false' : '';
};

/** The form keeps answers that do not match. */
const matchesAny = (): boolean => true;

/** An answer that is not of the type of its variable is shown as it is. */
const formValue = (variable: SurveyVariable, answer: unknown): AnswerValue => {
  if (isEmptyAnswer(answer)) return emptyValue(variable);
  const read = readAnswer(variable, answer, matchesAny);
  const known: unknown = 'answer' in read ? read.answer : answer;
  if (variable.type === 'multiple') return Array.isArray(known) ? known : [];
  return typeof known === 'object' ? JSON.stringify(known) : String(known);
};

/** Initial values: the answers of an earlier task, or else the defaults. A secret is never filled in again. */
export const startAnswers = (
  survey: readonly SurveyVariable[],
  earlier: Readonly<Record<string, unknown>> | undefined,
): AnswerValues =>
  Object.fromEntries(
    survey.map((variable) => {
      const before = earlier && Object.hasOwn(earlier, variable.name) ? earlier[variable.name] : undefined;
      const answer = earlier ? before : variable.default_value;
      return [variable.name, formValue(variable, variable.type === 'secret' ? '' : answer)];
    }),
  );

const trimmed = ({ type }: SurveyVariable, value: AnswerValue): AnswerValue =>
  typeof value === 'string' && type !== 'secret' && type !== 'multiline' ? value.trim() : value;

/** The answers of a form as the server gets them. */
const typedAnswers = (survey: readonly SurveyVariable[], values: AnswerValues): AnswerValues =>
  Object.fromEntries(
    survey.map((variable) => [variable.name, trimmed(variable, values[variable.name] ?? emptyValue(variable))]),
  );

/** Which variables are asked for, and what is wrong with their answers. Answers to the others stay in the form, and do not count. */
export const readAnswers = (survey: readonly SurveyVariable[], values: AnswerValues) => {
  const { asked, problems } = readSurvey(survey, typedAnswers(survey, values), mayMatch);
  return { asked, problems: [...problems].filter(([, { code }]) => code !== 'answer.not_asked') };
};

/**
 * The answers of a request. Empty answers are omitted, so that the values of the environment apply; null replaces a
 * default by no answer.
 */
export const answersBody = (survey: readonly SurveyVariable[], values: AnswerValues): Record<string, Answer | null> => {
  const answers = typedAnswers(survey, values);
  return Object.fromEntries(
    readAnswers(survey, values).asked.flatMap(({ name, default_value }): [string, Answer | null][] => {
      const answer = answers[name] ?? '';
      if (!isEmptyAnswer(answer)) return [[name, answer]];
      return default_value === '' ? [] : [[name, null]];
    }),
  );
};

/** The variables that have an answer. */
export const answered = (survey: readonly SurveyVariable[], answers: object): SurveyVariable[] =>
  survey.filter(({ name }) => Object.hasOwn(answers, name));

/** Fixed answers as the server stores them: of the types of their variables, and null for none. */
export const fixedBody = (survey: readonly SurveyVariable[], values: AnswerValues): Record<string, Answer | null> => {
  const fixed = answered(survey, values);
  const answers = typedAnswers(fixed, values);
  return Object.fromEntries(
    fixed.map((variable): [string, Answer | null] => {
      const answer = answers[variable.name] ?? '';
      if (isEmptyAnswer(answer)) return [variable.name, null];
      const read = readAnswer(variable, answer, matchesAny);
      return [variable.name, 'answer' in read ? read.answer : answer];
    }),
  );
};

export const fixedProblems = (survey: readonly SurveyVariable[], values: AnswerValues) => [
  ...fixedAnswerProblems(survey, fixedBody(survey, values), mayMatch),
];

/** Answers without those that are still the defaults of their variables, so that later defaults count. */
export const withoutDefaults = (
  survey: readonly SurveyVariable[],
  values: AnswerValues,
  answers: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const defaults = startAnswers(
    survey.filter(({ default_value }) => default_value !== ''),
    undefined,
  );
  return Object.fromEntries(
    Object.entries(answers).filter(([name]) => JSON.stringify(values[name]) !== JSON.stringify(defaults[name])),
  );
};
