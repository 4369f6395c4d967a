import {
  EMPTY_VARIABLE,
  hasChoices,
  hasDefault,
  readAnswer,
  type SurveyChoice,
  type SurveyType,
} from '@signalbox/contract';
import { z } from 'zod';

const text = z.string().nullish();

const Variables = z
  .array(
    z.looseObject({
      name: z.string(),
      title: text,
      description: text,
      type: text,
      required: z.boolean().nullish(),
      default_value: text,
      values: z.array(z.looseObject({ name: text, value: z.string() })).nullish(),
    }),
  )
  .nullish();
type Variable = NonNullable<z.infer<typeof Variables>>[number];

const parsed = (written: string): unknown => {
  try {
    return JSON.parse(written || '[]');
  } catch {
    return written;
  }
};

/** Undefined for a type that does not exist here. A choice without choices is such a type. */
const typeOf = (type: string | null | undefined, values: readonly SurveyChoice[]): SurveyType | undefined => {
  if (!type || type === 'string') return '';
  if (type === 'int' || type === 'secret') return type;
  return type === 'enum' && values.length > 0 ? 'enum' : undefined;
};

/** The choices without those that have no value or that of an earlier choice. */
const choicesOf = ({ values }: Variable): SurveyChoice[] => {
  const choices = new Map<string, SurveyChoice>();
  for (const { name, value } of values ?? [])
    if (value !== '' && !choices.has(value)) choices.set(value, { name: name ?? '', value });
  return [...choices.values()];
};

/**
 * Reads the survey of a template that Semaphore UI exported.
 * @param survey_vars a list, or its JSON text
 * @param note called with a text for each difference
 * @returns the variables as a request for a new template contains them
 */
export const importSurvey = (
  template: string,
  survey_vars: unknown,
  note: (text: string) => void,
): { readonly [field: string]: unknown; readonly source?: null }[] => {
  const variables = Variables.safeParse(typeof survey_vars === 'string' ? parsed(survey_vars) : survey_vars);
  if (!variables.success) note(`The survey of the template ${template} is left out: it cannot be read.`);
  return (variables.data ?? []).map((variable) => {
    const { name, title, description, required, default_value } = variable;
    const label = `The survey variable ${name} of the template ${template}`;
    const choices = choicesOf(variable);
    const type = typeOf(variable.type, choices);
    if (type === undefined) note(`${label} becomes a text: Signalbox has no type ${variable.type} without choices.`);
    const own = { type: type ?? ('' as const), values: type && hasChoices(type) ? choices : [] };
    const lost = (variable.values?.length ?? 0) - own.values.length;
    if (own.values.length > 0 && lost > 0) note(`${label} loses ${lost} of its choices, which are empty or repeated.`);
    const answer = default_value ? readAnswer({ ...EMPTY_VARIABLE, ...own }, default_value, () => true) : undefined;
    const isLost = answer !== undefined && ('problem' in answer || !hasDefault(own.type));
    if (isLost) note(`${label} loses its default, which is not a valid answer of its type.`);
    return { name, title, description, required, ...own, default_value: isLost ? '' : (default_value ?? '') };
  });
};
