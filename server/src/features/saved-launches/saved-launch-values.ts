import type { LaunchValues } from '@signalbox/contract';
import type { StateTransaction } from '../../database/database.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import type { CheckLaunchValues } from '../../stored-answers/launch-checks.ts';
import { checkOpenAnswers, readSurvey } from '../../stored-answers/survey.ts';

interface ValuesToSave {
  readonly project_id: number;
  readonly template_id: number;
  readonly values: LaunchValues;
  /** See `permitsOverride` of calls. */
  readonly mayOverride: boolean;
}

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
  const survey = await readSurvey(tx, template_id, project_id);
  if (!survey) throw notFound();
  const given = Object.keys(JSON.parse(values.environment) as object);
  checkOpenAnswers(survey, given, (name) => `${ANSWERS}${name}`);
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
