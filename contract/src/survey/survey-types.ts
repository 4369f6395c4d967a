import type { SurveyVariable } from './survey-variable.ts';

/** The types of answers. The empty type is text on one line. */
export const SURVEY_TYPES = [
  '',
  'multiline',
  'int',
  'decimal',
  'bool',
  'enum',
  'multiple',
  'secret',
  'date',
  'datetime',
] as const;
export type SurveyType = (typeof SURVEY_TYPES)[number];

/** Where choices can come from, instead of a list in the survey. */
export const CHOICE_SOURCES = ['versions', 'groups', 'hosts', 'branches', 'tags', 'address'] as const;
export type ChoiceSourceType = (typeof CHOICE_SOURCES)[number];

/** What `min` and `max` limit in the answers of a type: the number of characters, the value, or the number of choices. */
const LIMITED: Readonly<Partial<Record<SurveyType, 'length' | 'value' | 'choices'>>> = {
  '': 'length',
  multiline: 'length',
  secret: 'length',
  int: 'value',
  decimal: 'value',
  multiple: 'choices',
};

export const limitedOf = (type: SurveyType) => LIMITED[type];
export const hasPattern = (type: SurveyType): boolean => limitedOf(type) === 'length';
export const hasChoices = (type: SurveyType): boolean => type === 'enum' || type === 'multiple';
export const hasDefault = (type: SurveyType): boolean => type !== 'secret';

/** A variable of the empty type, without limits, choices and condition. */
export const EMPTY_VARIABLE: SurveyVariable = {
  name: '',
  title: '',
  description: '',
  type: '',
  required: false,
  default_value: '',
  placeholder: '',
  group: '',
  values: [],
  source: null,
  min: null,
  max: null,
  pattern: '',
  pattern_message: '',
  show_when: null,
};
