import type { FieldMessage } from '../messages/field-errors.ts';
import type { Answer, MatchesPattern } from './answers.ts';
import { limitedOf, type SurveyType } from './survey-types.ts';
import type { SurveyVariable } from './survey-variable.ts';

/**
 * Reads an answer of one type. Returns undefined for a value of another type.
 * @param choices the texts to choose from; undefined if they come from elsewhere, so that any text is one
 */
type Reader = (value: unknown, choices: readonly string[] | undefined) => Answer | undefined;

/** An integer that is too large to be exact is refused. */
const readInteger: Reader = (value) => {
  const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
};

const readDecimal: Reader = (value) => {
  const number = typeof value === 'string' && /^\s*-?(\d+\.?\d*|\.\d+)\s*$/.test(value) ? Number(value) : value;
  return Number.isFinite(number) ? (number as number) : undefined;
};

const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, 1: true },
  ...{ false: false, no: false, off: false, 0: false },
};

const readBoolean: Reader = (value) => {
  const text = String(value).trim().toLowerCase();
  return Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
};

const readChoice: Reader = (value, choices) => {
  if (!choices) return typeof value === 'object' ? undefined : String(value);
  return choices.find((choice) => choice === String(value));
};

/** The choices are in the order of the survey, whatever the order of the answer. Those from elsewhere keep their order. */
const readChoices: Reader = (value, choices) => {
  const texts = Array.isArray(value)
    ? value.map(String)
    : String(value)
        .split(/[,\n]/)
        .map((text) => text.trim())
        .filter((text) => text !== '');
  const chosen = new Set(texts);
  if (!choices) return [...chosen];
  const answer = choices.filter((choice) => chosen.has(choice));
  return answer.length === chosen.size ? answer : undefined;
};

/** Numbers and booleans stay as they are. */
const readText: Reader = (value) => (typeof value === 'object' ? undefined : (value as Answer));

const readSecret: Reader = (value) => (typeof value === 'object' ? undefined : String(value));

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

const isDate = (text: string): boolean => {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (!year || !month || !day) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

const readDate: Reader = (value) => {
  const text = String(value).trim();
  return isDate(text) ? text : undefined;
};

const readMoment: Reader = (value) => {
  const text = String(value).trim();
  return isDate(MOMENT.exec(text)?.[1] ?? '') ? text : undefined;
};

const TYPES = {
  '': { read: readText, code: 'answer.text' },
  multiline: { read: readText, code: 'answer.text' },
  int: { read: readInteger, code: 'answer.integer' },
  decimal: { read: readDecimal, code: 'answer.decimal' },
  bool: { read: readBoolean, code: 'answer.boolean' },
  enum: { read: readChoice, code: 'answer.choice' },
  multiple: { read: readChoices, code: 'answer.choices' },
  secret: { read: readSecret, code: 'answer.text' },
  date: { read: readDate, code: 'answer.date' },
  datetime: { read: readMoment, code: 'answer.moment' },
} as const satisfies Readonly<Record<SurveyType, { readonly read: Reader; readonly code: FieldMessage['code'] }>>;

/** The messages for an answer below and above the limits, by what the limits count. */
const LIMIT_CODES = {
  length: ['answer.too_short', 'answer.too_long'],
  value: ['answer.too_small', 'answer.too_big'],
  choices: ['answer.min_choices', 'answer.max_choices'],
} as const;

/** What the limits of a variable count in an answer. */
const sizeOf = (answer: Answer, limited: keyof typeof LIMIT_CODES): number => {
  if (limited === 'value') return Number(answer);
  return typeof answer === 'object' ? answer.length : [...String(answer)].length;
};

const limitProblem = (variable: SurveyVariable, answer: Answer, title: string): FieldMessage | undefined => {
  const limited = limitedOf(variable.type);
  if (limited === undefined) return undefined;
  const [below, above] = LIMIT_CODES[limited];
  const size = sizeOf(answer, limited);
  const { min, max } = variable;
  if (min !== null && size < min) return { code: below, params: { title, min } };
  if (max !== null && size > max) return { code: above, params: { title, max } };
  return undefined;
};

const patternProblem = (
  variable: SurveyVariable,
  answer: Answer,
  matches: MatchesPattern,
  title: string,
): FieldMessage | undefined => {
  const { pattern, pattern_message: message } = variable;
  if (pattern === '' || matches(variable, String(answer))) return undefined;
  return message === ''
    ? { code: 'answer.pattern', params: { title, pattern } }
    : { code: 'answer.own_message', params: { title, message } };
};

/** Reads an answer that is not empty, or returns what is wrong with it. */
export const readAnswer = (
  variable: SurveyVariable,
  value: unknown,
  matches: MatchesPattern,
): { readonly answer: Answer } | { readonly problem: FieldMessage } => {
  const title = variable.title || variable.name;
  const { read, code } = TYPES[variable.type];
  const answer = read(value, variable.source === null ? variable.values.map((choice) => choice.value) : undefined);
  if (answer === undefined) return { problem: { code, params: { title } } };
  const problem = limitProblem(variable, answer, title) ?? patternProblem(variable, answer, matches, title);
  return problem ? { problem } : { answer };
};
