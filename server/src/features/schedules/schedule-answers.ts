import type { LaunchValues } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { SecretAnswers } from '../../stored-answers/secret-answers.ts';
import { storedValues } from '../../stored-answers/stored-values.ts';
import type { ScheduleRow } from './schedule.store.ts';
import { namedLaunches } from './schedule-saved-launch.ts';

export const scheduleAnswers = new SecretAnswers('schedule');

/**
 * The values of a schedule with its secret answers, to start a task.
 * @throws bad_input when the survey no longer treats a secret answer as secret: the task would show it
 */
export const valuesToLaunch = async (
  db: StateReader,
  master: MasterKey | undefined,
  row: Pick<ScheduleRow, 'id' | 'project_id' | 'template_id' | 'launch_values' | 'saved_launch_id'>,
): Promise<LaunchValues> => {
  const saved = (await namedLaunches(db, [row])).get(row.saved_launch_id ?? 0);
  return saved ?? (await scheduleAnswers.addTo(db, master, row, storedValues(row)));
};
