import type { FieldMessage } from '../messages/field-errors.ts';
import { readAnswer } from './read-answer.ts';
import type { SurveyVariable } from './survey-variable.ts';

/** An answer as the run gets it. */
export type Answer = string | number | boolean | readonly string[];

/** Whether a whole text matches the pattern of a variable. */
export type MatchesPattern = (variable: SurveyVariable, text: string) => boolean;

export interface ReadSurvey {
  /** The answers by the name of the variable, also those that are defaults. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** What is wrong with an answer, by the name of the variable. */
  readonly problems: ReadonlyMap<string, FieldMessage>;
  /** The variables that are asked for, in their order. */
  readonly asked: readonly SurveyVariable[];
}

export const isEmptyAnswer = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The texts with which the condition of a later variable is compared. */
const textsOf = (answer: Answer | undefined): readonly string[] => {
  if (answer === undefined) return [];
  return typeof answer === 'object' ? answer : [String(answer)];
};

const isAsked = ({ show_when }: SurveyVariable, answers: ReadonlyMap<string, Answer>): boolean => {
  if (show_when === null) return true;
  const wanted = new Set(show_when.values);
  return textsOf(answers.get(show_when.variable)).some((text) => wanted.has(text));
};

/**
 * Reads the answers to a survey. A variable without an answer has its default; an empty answer replaces the default.
 * @param given the answers by name, as numbers, booleans and lists or as text
 */
export const readSurvey = (
  survey: readonly SurveyVariable[],
  given: Readonly<Record<string, unknown>>,
  matches: MatchesPattern,
): ReadSurvey => {
  const answers = new Map<string, Answer>();
  const problems = new Map<string, FieldMessage>();
  const asked: SurveyVariable[] = [];
  for (const variable of survey) {
    const title = variable.title || variable.name;
    // A variable may be named `constructor`, so inherited properties must be ignored.
    const own = Object.hasOwn(given, variable.name) ? given[variable.name] : undefined;
    if (!isAsked(variable, answers)) {
      if (!isEmptyAnswer(own)) problems.set(variable.name, { code: 'answer.not_asked', params: { title } });
      continue;
    }
    asked.push(variable);
    const value = own === undefined ? variable.default_value : own;
    if (isEmptyAnswer(value)) {
      if (variable.required) problems.set(variable.name, { code: 'answer.required', params: { title } });
      continue;
    }
    const read = readAnswer(variable, value, matches);
    if ('problem' in read) problems.set(variable.name, read.problem);
    else answers.set(variable.name, read.answer);
  }
  return { answers, problems, asked };
};

/**
 * What is wrong with answers that are fixed before a survey is answered, by the name of the variable. Each needs a value.
 * Defaults do not count, because a user may change them: a variable that is shown only with other answers needs these to be
 * fixed too.
 */
export const fixedAnswerProblems = (
  survey: readonly SurveyVariable[],
  fixed: Readonly<Record<string, unknown>>,
  matches: MatchesPattern,
): ReadSurvey['problems'] => {
  const isFixed = ({ name }: SurveyVariable) => Object.hasOwn(fixed, name);
  const { asked, problems } = readSurvey(
    survey.map((variable) => ({ ...variable, default_value: '', required: isFixed(variable) })),
    fixed,
    matches,
  );
  const names = new Set(asked.map(({ name }) => name));
  const alone = survey.flatMap((variable): [string, FieldMessage][] => {
    const { name, title, show_when } = variable;
    if (show_when === null || names.has(name) || !isFixed(variable)) return [];
    const condition = survey.find((one) => one.name === show_when.variable);
    const other = condition?.title || show_when.variable;
    return [[name, { code: 'answer.fixed_alone', params: { title: title || name, other } }]];
  });
  return new Map([...problems, ...alone]);
};
