import { LaunchValues } from '@signalbox/contract';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { lockRow } from '../../database/queries/lock-row.ts';
import { badField } from '../../http/errors/api-error.ts';
import type { ScheduleRow } from './schedule.store.ts';
import type { ScheduleInput } from './schedule-input.ts';

const parse = (json: string): LaunchValues => LaunchValues.parse(JSON.parse(json));

/** The values of a schedule that has none of its own. */
export const NO_VALUES = JSON.stringify(LaunchValues.parse({}));

const isSame = (a: LaunchValues, b: LaunchValues): boolean =>
  JSON.stringify(LaunchValues.parse(a)) === JSON.stringify(LaunchValues.parse(b));

type Naming = Pick<ScheduleInput, 'template_id' | 'saved_launch_id'>;

/**
 * The values of the saved launch that a schedule names, which no other transaction deletes meanwhile.
 * @throws bad_input unless it is a shared one of the same template: its tasks belong to the project, not to a user
 */
export const namedValues = async (
  tx: StateTransaction,
  projectId: number,
  { template_id, saved_launch_id }: Naming,
): Promise<LaunchValues | undefined> => {
  if (saved_launch_id === null) return undefined;
  const saved = await lockRow(tx, 'saved_launch', projectId, saved_launch_id);
  if (!saved || saved.template_id !== template_id || saved.user_id !== null)
    throw badField('saved_launch_id', 'field.not_of_template');
  return parse(saved.launch_values);
};

/**
 * Whether a request gives values of its own to a schedule that names a saved launch. A client that does not know saved
 * launches sends back the values that it got, which changes nothing.
 */
export const hasOwnValues = (given: LaunchValues | null | undefined, saved: LaunchValues): boolean =>
  given != null && !isSame(given, saved);

/** The values of the saved launches that schedules name, by the id of the saved launch. */
export const savedValues = async (
  db: StateReader,
  schedules: readonly Pick<ScheduleRow, 'project_id' | 'saved_launch_id'>[],
): Promise<ReadonlyMap<number, LaunchValues>> => {
  const naming = schedules.filter(({ saved_launch_id }) => saved_launch_id !== null);
  if (naming.length === 0) return new Map();
  const rows = await db
    .selectFrom('saved_launch')
    .select(['id', 'launch_values'])
    .where('project_id', 'in', [...new Set(naming.map(({ project_id }) => project_id))])
    .where('user_id', 'is', null)
    .execute();
  return new Map(rows.map(({ id, launch_values }) => [id, parse(launch_values)]));
};
