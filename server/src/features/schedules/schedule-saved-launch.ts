import { LaunchValues } from '@signalbox/contract';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { lockRow } from '../../database/queries/lock-row.ts';
import { badField } from '../../http/errors/api-error.ts';
import { storedValues } from '../../stored-answers/stored-values.ts';
import type { ScheduleRow } from './schedule.store.ts';
import type { ScheduleInput } from './schedule-input.ts';

const DEFAULTS = LaunchValues.parse({});

/** The values of a schedule that has none of its own. */
export const NO_VALUES = JSON.stringify(DEFAULTS);

const isSame = (a: LaunchValues, b: LaunchValues): boolean =>
  JSON.stringify(LaunchValues.parse(a)) === JSON.stringify(LaunchValues.parse(b));

type Naming = Pick<ScheduleInput, 'template_id' | 'saved_launch_id'>;

/**
 * The values of the saved launch that a schedule names, which no other transaction deletes meanwhile.
 * @throws bad_input unless it is a shared one of the same template: its tasks belong to the project, not to a user
 */
export const lockNamedLaunch = async (
  tx: StateTransaction,
  projectId: number,
  { template_id, saved_launch_id }: Naming,
): Promise<LaunchValues | undefined> => {
  if (saved_launch_id === null) return undefined;
  const saved = await lockRow(tx, 'saved_launch', projectId, saved_launch_id);
  if (!saved || saved.template_id !== template_id || saved.user_id !== null)
    throw badField('saved_launch_id', 'field.not_of_template');
  return storedValues(saved);
};

/**
 * Whether a request gives values of its own to a schedule that names a saved launch. A client that does not know saved
 * launches sends back the values that it got, which changes nothing.
 */
export const hasOwnValues = (given: LaunchValues | null | undefined, saved: LaunchValues): boolean =>
  given != null && !isSame(given, saved);

/** The values of saved launches by their ids. */
export type LaunchesById = ReadonlyMap<number, LaunchValues>;

/** The saved launches that schedules name. */
export const namedLaunches = async (
  db: StateReader,
  schedules: readonly Pick<ScheduleRow, 'saved_launch_id'>[],
): Promise<LaunchesById> => {
  const ids = new Set(schedules.flatMap(({ saved_launch_id: id }) => (id === null ? [] : [id])));
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('saved_launch')
    .select(['id', 'launch_values'])
    .where('id', 'in', [...ids])
    .where('user_id', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.id, storedValues(row)]));
};

/** What the tasks of a schedule are started with, without its secret answers: the values of its saved launch, or its own. */
export const valuesOf = (
  row: Pick<ScheduleRow, 'saved_launch_id' | 'launch_values'>,
  launches: LaunchesById,
): Readonly<LaunchValues> =>
  launches.get(row.saved_launch_id ?? 0) ?? (row.launch_values === NO_VALUES ? DEFAULTS : storedValues(row));
