import { z } from 'zod';
import { jsonTextDepth, MAX_JSON_DEPTH } from './json-shape.ts';
import { type FieldMessageArguments, fieldError, fieldIssue } from './messages/field-errors.ts';
import { hasMathLetters, ONE_ALPHABET, plainText, VISIBLE } from './visible-text.ts';

/** Ids fit the 32-bit integers that both databases use for them. */
export const MAX_ID = 2_147_483_647;

/** A row's id in a body or an answer: 1 to 2,147,483,647. */
export const Id = z.int().min(1).max(MAX_ID);

/** An optional id: absent, null, or 0 as generated clients send it. */
export const OptionalId = z
  .int()
  .min(0)
  .max(MAX_ID)
  .nullable()
  .overwrite((id) => (id === 0 ? null : id));

/** A row's id in a path or a query: digits only, so that `1e3`, ` 5` and `0x10` are refused instead of guessed. */
export const IdText = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, fieldError('field.id'))
  .transform(Number)
  .refine((id) => id <= MAX_ID, fieldError('field.id'))
  .meta({ openapi: { type: 'integer', minimum: 1, maximum: MAX_ID } });

/** A count in a query, as digits: `min` to `max`. */
export const countText = (min: number, max: number) =>
  z
    .string()
    .refine(
      (digits) => /^\d{1,9}$/.test(digits) && Number(digits) >= min && Number(digits) <= max,
      fieldError('field.whole', { min, max }),
    )
    .transform(Number)
    .meta({ openapi: { type: 'integer', minimum: min, maximum: max } });

/** The limit of a list. Clients of Semaphore UI use the name `count`. */
export const pageQuery = (max: number) => ({
  limit: countText(1, max).optional().describe(`Maximum number of items, newest first. Default and maximum: ${max}.`),
  count: countText(1, max).optional().describe('The same as `limit`, for clients of Semaphore UI.'),
});

/** Text of at most `max` characters. PostgreSQL stores no NUL, so neither database is given one. */
export const text = (max: number) =>
  z
    .string()
    // Nothing else is checked in a longer text: composing letters, for one, takes time that grows with its square.
    .max(max, { abort: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is exactly what is refused
    .regex(/^[^\u0000]*$/, fieldError('field.nul'))
    .refine((value) => value.isWellFormed(), fieldError('field.half_character'));

/** Text on one line without invisible characters, and without letters that resemble those of another alphabet. */
export const LineText = text(255)
  .overwrite(plainText)
  .trim()
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, fieldError('field.one_line'))
  .regex(VISIBLE, fieldError('field.invisible'))
  .regex(ONE_ALPHABET, fieldError('field.alphabets'))
  .refine((value) => !hasMathLetters(value), fieldError('field.math_letters'))
  .meta({ openapiFormat: 'line' });

/** A name in lists: 1 to 255 characters, trimmed, on one line. */
export const Name = LineText.min(1, fieldError('field.required'))
  .regex(/[^\p{C}\p{Z}]/u, fieldError('field.not_visible'))
  .meta({ openapiFormat: 'name' });

/** A moment: RFC 3339 in UTC with milliseconds, for example `2026-11-21T07:30:00.123Z`. */
export const Moment = z.string().meta({ openapi: { type: 'string', format: 'date-time' } });

/** A moment in a query: RFC 3339 with a time zone; answers it in UTC with milliseconds, as moments are stored. */
export const MomentText = z.iso
  .datetime({ offset: true, ...fieldError('field.moment') })
  .transform((value) => new Date(value).toISOString())
  .meta({ openapi: { type: 'string', format: 'date-time' } });

/** A day such as `2026-11-21`. */
export const DayText = z.iso.date({ ...fieldError('field.day') }).meta({ openapi: { type: 'string', format: 'date' } });

const parses = (value: string): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses JSON text of an object: the object, or what is wrong. The depth is checked before the text is parsed. */
const readObject = (text: string): { readonly problem: FieldMessageArguments } | { readonly object: object } => {
  if (jsonTextDepth(text) > MAX_JSON_DEPTH) return { problem: ['field.too_deep', { max: MAX_JSON_DEPTH }] };
  const object = parses(text);
  if (!isObject(object)) return { problem: ['field.json_object'] };
  return text.includes('\\u0000') ? { problem: ['field.nul'] } : { object: object as object };
};

/** The error of an object whose members become environment variables of a process. */
const variablesProblem = (object: object): FieldMessageArguments | undefined => {
  if (!Object.values(object).every((value) => ['string', 'number', 'boolean'].includes(typeof value)))
    return ['field.simple_values'];
  if (!Object.keys(object).every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))) return ['field.variable_names'];
  return undefined;
};

/** JSON text of an object that passes a check. The text is parsed once; an empty text counts as `{}`. */
const objectText = (findProblem: (object: object) => FieldMessageArguments | undefined) =>
  text(262_144)
    .transform((value) => (value.trim() === '' ? '{}' : value))
    .superRefine((value, { addIssue }) => {
      const read = readObject(value);
      const problem = 'problem' in read ? read.problem : findProblem(read.object);
      if (problem !== undefined) addIssue(fieldIssue(...problem));
    });

/** JSON text of an object, such as extra variables. */
export const JsonObjectText = objectText(() => undefined).meta({ openapiFormat: 'json-object' });

/** JSON text of an object whose values are texts, numbers or booleans: the environment of a process. */
export const EnvironmentVariablesText = objectText(variablesProblem).meta({ openapiFormat: 'environment-variables' });

/** JSON text of an array of texts: command-line arguments, one per item. An empty text counts as `[]`. */
export const ArgumentsText = text(16_384)
  .transform((value) => (value.trim() === '' ? '[]' : value))
  .refine((value) => {
    const items = parses(value);
    return Array.isArray(items) && items.every((item) => typeof item === 'string' && !item.includes('\0'));
  }, fieldError('field.json_texts'))
  .meta({ openapiFormat: 'json-texts' });
