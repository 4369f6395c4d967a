import type { SurveyVariable } from '@signalbox/contract';
import { EMPTY_VARIABLE } from '@signalbox/contract/survey';

/** A variable of the survey, with an id while the form is open. */
export type SurveyRow = SurveyVariable & { readonly key: number };

/** The errors of a survey by field, such as `survey_vars.2.pattern`. */
export type SurveyErrors = Readonly<Record<string, unknown>>;

/** The rows with a new empty variable, in the group of the last one. */
export const withNewVariable = (rows: readonly SurveyRow[]): SurveyRow[] => [
  ...rows,
  { ...EMPTY_VARIABLE, key: Math.max(-1, ...rows.map((row) => row.key)) + 1, group: rows.at(-1)?.group ?? '' },
];

/** The errors of one variable, by field. */
export const errorsOf = (errors: SurveyErrors, index: number): SurveyErrors => {
  const prefix = `survey_vars.${index}.`;
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, error]) =>
      field.startsWith(prefix) ? [[field.slice(prefix.length), error]] : [],
    ),
  );
};

/** The variables on whose answer a variable may depend: the earlier ones, but no secrets. */
export const possibleConditions = (rows: readonly SurveyRow[], index: number): SurveyRow[] =>
  rows.slice(0, index).filter(({ name, type }) => name.trim() !== '' && type !== 'secret');

/** Whether a saving failed because of variables of the survey alone, whose errors are shown at their inputs. */
export const isSurveyRefused = (fields: Readonly<Record<string, string>>): boolean => {
  const names = Object.keys(fields);
  return names.length > 0 && names.every((name) => name.startsWith('survey_vars.'));
};

/** Whether a task must always answer a variable, because it has no default. */
export const isOpen = ({ required, default_value, show_when }: SurveyRow): boolean =>
  required && default_value === '' && show_when === null;
