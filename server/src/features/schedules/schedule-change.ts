import type { BodyOf, RouteTable } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import type { Call } from '../../http/calls/call.ts';
import { badField } from '../../http/errors/api-error.ts';
import { changeObject, type ObjectDeps, type ObjectKind } from '../../http/objects/project-object.ts';
import { checkReferences } from '../../http/objects/references.ts';
import { changedColumns, hasOtherTimes } from './schedule.store.ts';
import { scheduleAnswers } from './schedule-answers.ts';
import { checkTiming, type GivenSchedule } from './schedule-input.ts';
import { changedInput, readValues, type ValuesDeps } from './schedule-values.ts';

export interface ChangeDeps extends ObjectDeps, ValuesDeps {
  readonly timezone: string;
}

type ChangeCall = Pick<Call<RouteTable['updateSchedule']>, 'actor' | 'precondition' | 'membership'> & {
  readonly params: { readonly project_id: number };
};

type ScheduleBody = BodyOf<RouteTable['updateSchedule']>;

/**
 * Checks a schedule and the objects that it names.
 * @param isNew whether the due times are new, so that there must be one in the future
 * @throws bad_input naming the field
 */
export const checkSchedule = async (
  db: StateReader,
  { clock, timezone }: Pick<ChangeDeps, 'clock' | 'timezone'>,
  projectId: number,
  input: GivenSchedule,
  isNew: boolean,
): Promise<void> => {
  checkTiming(input, timezone, clock.now(), isNew);
  await checkReferences(db, projectId, [
    ['template_id', 'template', input.template_id],
    ['repository_id', 'repository', input.repository_id],
  ]);
  if (input.overlap !== 'parallel') return;
  const allowed = await db
    .selectFrom('template')
    .select('id')
    .where('id', '=', input.template_id)
    .where('allow_parallel_tasks', '=', 1)
    .executeTakeFirst();
  if (!allowed) throw badField('overlap', 'field.not_allowed');
};

/**
 * Changes a schedule.
 * @param call gives the rights with which new values are checked
 * @throws bad_input, or the errors of a change of any object
 */
export const changeSchedule = (
  deps: ChangeDeps,
  kind: ObjectKind<'schedule'>,
  call: ChangeCall,
  id: number,
  body: ScheduleBody,
): Promise<void> =>
  changeObject(deps, kind, call, id, async (tx, row, now) => {
    const input = await changedInput(tx, row, body);
    await checkSchedule(tx, deps, row.project_id, input, hasOtherTimes(row, input));
    const isOther =
      body.launch_values !== undefined ||
      input.template_id !== row.template_id ||
      input.saved_launch_id !== row.saved_launch_id;
    const { launch_values, extra_variables } = row;
    if (!isOther) return changedColumns(row, { ...input, launch_values, extra_variables }, deps.timezone, now);
    const { membership } = call;
    const given = await readValues(tx, deps, { projectId: row.project_id, membership, input, scheduleId: row.id });
    await scheduleAnswers.store(tx, deps.master, row.id, given.secrets);
    return changedColumns(row, { ...input, ...given.columns }, deps.timezone, now);
  });
