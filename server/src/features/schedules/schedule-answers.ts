import type { LaunchValues } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { badField } from '../../http/errors/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { SecretAnswers } from '../../stored-answers/secret-answers.ts';
import { storedValues } from '../../stored-answers/stored-values.ts';
import { readSurvey, undeclaredVariables } from '../../stored-answers/survey.ts';
import type { ScheduleRow } from './schedule.store.ts';
import { namedLaunches } from './schedule-saved-launch.ts';

export const scheduleAnswers = new SecretAnswers('schedule');

type StartingRow = Pick<
  ScheduleRow,
  'id' | 'project_id' | 'template_id' | 'launch_values' | 'extra_variables' | 'saved_launch_id'
>;

/**
 * The values of a schedule with its secret answers, to start a task.
 * @throws bad_input when the survey no longer treats a secret answer as secret, because the task would show it, or no longer
 *   has a variable that was answered, because the answer would set a variable without a permission
 */
export const valuesToLaunch = async (
  db: StateReader,
  master: MasterKey | undefined,
  row: StartingRow,
): Promise<LaunchValues> => {
  const saved = (await namedLaunches(db, [row])).get(row.saved_launch_id ?? 0);
  const values = saved ?? (await scheduleAnswers.addTo(db, master, row, storedValues(row)));
  const permitted = saved ? [] : (JSON.parse(row.extra_variables) as string[]);
  const survey = (await readSurvey(db, row.template_id)) ?? [];
  const left = undeclaredVariables(survey, values.environment).filter((name) => !permitted.includes(name));
  if (left.length > 0) throw badField('launch_values.environment', 'answer.left_survey', { names: left.join(', ') });
  return values;
};
