import { type LaunchValues, SurveyVariable } from '@signalbox/contract';
import { z } from 'zod';
import type { StateTransaction } from '../../database/database.ts';
import { ApiError, badField, notFound } from '../../http/errors/api-error.ts';

/** Checks values as the launch of a task would. */
export type CheckLaunchValues = (
  tx: StateTransaction,
  check: {
    readonly projectId: number;
    readonly templateId: number;
    readonly values: LaunchValues;
    readonly mayOverride: boolean;
  },
) => Promise<void>;

interface ValuesToSave {
  readonly project_id: number;
  readonly template_id: number;
  readonly values: LaunchValues;
  /** Whether the caller may give arguments that the template does not ask for. */
  readonly mayOverride: boolean;
}

const Survey = z.array(SurveyVariable);

const ANSWERS = 'launch_values.environment.';

/**
 * Checks values before they are saved, as a launch would. Answers may be missing, because the user is asked for them.
 * @throws bad_input naming the field: also for an answer to a secret variable, or to one that the survey does not have
 */
export const checkValues = async (
  tx: StateTransaction,
  { project_id, template_id, values, mayOverride }: ValuesToSave,
  checkLaunchValues: CheckLaunchValues,
): Promise<void> => {
  const template = await tx
    .selectFrom('template')
    .select('survey_vars')
    .where('id', '=', template_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst();
  if (!template) throw notFound();
  const types = new Map(Survey.parse(JSON.parse(template.survey_vars)).map(({ name, type }) => [name, type]));
  const given = Object.keys(JSON.parse(values.environment) as object);
  for (const name of given) {
    const type = types.get(name);
    if (type === undefined) throw badField(`${ANSWERS}${name}`, 'field.not_in_survey');
    if (type === 'secret') throw badField(`${ANSWERS}${name}`, 'field.secret_answer');
  }
  try {
    await checkLaunchValues(tx, { projectId: project_id, templateId: template_id, values, mayOverride });
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields === undefined) throw error;
    const wrong = Object.entries(error.fields).filter(
      ([field]) => !field.startsWith(ANSWERS) || given.includes(field.slice(ANSWERS.length)),
    );
    if (wrong.length > 0) throw ApiError.ofFields(Object.fromEntries(wrong));
  }
};
