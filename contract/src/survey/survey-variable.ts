import { z } from 'zod';
import { ChoiceSource, NewChoiceSource } from '../entities/choice-source.ts';
import { VariableName } from '../entities/environment.ts';
import { LineText, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { needs, whenField } from '../rules.ts';
import { hasChoices, hasPattern, limitedOf, SURVEY_TYPES, type SurveyType } from './survey-types.ts';

export const SurveyChoice = z.object({
  name: z.string().describe('What the form shows; empty for the value itself.'),
  value: z.string().describe('What the run gets.'),
});
export type SurveyChoice = z.infer<typeof SurveyChoice>;

export const SurveyCondition = z.object({
  variable: z.string().describe('Name of an earlier variable.'),
  values: z.array(z.string()).describe('The variable is asked for if the answer is one of these.'),
});
export type SurveyCondition = z.infer<typeof SurveyCondition>;

export const SurveyVariable = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  type: z.enum(SURVEY_TYPES),
  required: z.boolean(),
  default_value: z.string(),
  placeholder: z.string(),
  group: z.string().describe('Heading above this variable and those that follow with the same heading.'),
  values: z.array(SurveyChoice),
  source: ChoiceSource.nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  pattern: z.string(),
  pattern_message: z.string(),
  show_when: SurveyCondition.nullable(),
});
export type SurveyVariable = z.infer<typeof SurveyVariable>;

const TYPE_OF_NAME: Readonly<Record<string, SurveyType>> = { String: '', string: '', Integer: 'int' };

const NewSurveyType = z
  .enum([...SURVEY_TYPES, 'String', 'string', 'Integer'])
  .overwrite((type) => TYPE_OF_NAME[type] ?? type)
  .default('')
  .describe(
    'Empty or `String` for text on one line, `multiline` for longer text, `int` or `Integer` for a whole number, `decimal` for any number, ' +
      '`bool` for true or false, `enum` for one of `values`, `multiple` for any of them, `secret` for text that is masked and stored encrypted, ' +
      '`date` (2026-11-24), `datetime` (2026-11-24T07:30 with or without a time zone).',
  );

const NewChoice = z.object({ name: LineText.default(''), value: text(1024).min(1, fieldError('field.required')) });

const Limit = z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).nullable().default(null);

const NEEDS_CHOICES = {
  anyOf: [needs({ values: { type: 'array', minItems: 1 } }), needs({ source: { type: 'object' } })],
};

export const NewSurveyVariable = z
  .object({
    name: VariableName,
    title: LineText.default(''),
    description: text(1024).default(''),
    type: NewSurveyType,
    required: z.boolean().default(false),
    default_value: text(4096)
      .default('')
      .describe(
        'The answer of a task that gives none, as text: `true` or `false` for `bool`, values separated by commas for `multiple`. Empty for none; a secret has none.',
      ),
    placeholder: LineText.default(''),
    group: LineText.default('').describe(
      'Heading above this variable and those that follow with the same heading. Empty for none.',
    ),
    values: z
      .array(NewChoice)
      .max(500)
      .default([])
      .describe('The choices of `enum` and `multiple`; other types have none.'),
    source: NewChoiceSource,
    min: Limit.describe(
      'Smallest number of characters of a text or secret, smallest value of a number, or smallest number of choices of `multiple`.',
    ),
    max: Limit.describe('The largest, as for `min`.'),
    pattern: text(255)
      .default('')
      .describe(
        'Regular expression (RE2) that the whole text must match: of type text, `multiline` or `secret`. Empty for none.',
      ),
    pattern_message: LineText.default('').describe('What the form shows if the text does not match the pattern.'),
    show_when: z
      .object({ variable: VariableName, values: z.array(text(1024)).min(1).max(100) })
      .nullable()
      .default(null)
      .describe('Asks for the variable only if an earlier one has one of these answers. Null to ask always.'),
  })
  .meta({
    openapiRules: [
      whenField('type', 'enum', NEEDS_CHOICES),
      whenField('type', 'multiple', NEEDS_CHOICES),
      whenField('type', 'secret', { properties: { default_value: { type: ['string', 'null'], maxLength: 0 } } }),
    ],
  });
type NewSurveyVariable = z.output<typeof NewSurveyVariable>;

/** Clears what variables of its type do not have, so that it does not return when the type changes. */
export const withFieldsOfType = <V extends NewSurveyVariable>(variable: V): V => ({
  ...variable,
  ...(hasChoices(variable.type as SurveyType) ? {} : { values: [], source: null }),
  ...(variable.source === null ? {} : { values: [] }),
  ...(limitedOf(variable.type as SurveyType) ? {} : { min: null, max: null }),
  ...(hasPattern(variable.type as SurveyType) ? {} : { pattern: '', pattern_message: '' }),
});
