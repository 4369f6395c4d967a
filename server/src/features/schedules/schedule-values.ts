import { type BodyOf, LaunchValues, NewSchedule, type RouteTable } from '@signalbox/contract';
import type { StateTransaction } from '../../database/database.ts';
import { type Membership, permitsOverride } from '../../http/calls/call.ts';
import { badField } from '../../http/errors/api-error.ts';
import { merged } from '../../http/objects/change.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import type { CheckLaunchValues } from '../../stored-answers/launch-checks.ts';
import { readSurvey, undeclaredVariables } from '../../stored-answers/survey.ts';
import { inputOf, type ScheduleRow } from './schedule.store.ts';
import { scheduleAnswers } from './schedule-answers.ts';
import type { GivenSchedule } from './schedule-input.ts';
import { hasOwnValues, lockNamedLaunch, NO_VALUES } from './schedule-saved-launch.ts';

export interface ValuesDeps {
  readonly master: MasterKey;
  readonly checkLaunchValues: CheckLaunchValues;
}

interface ValuesRequest {
  readonly projectId: number;
  readonly membership: Membership;
  readonly input: GivenSchedule;
  /** Undefined for a new schedule. */
  readonly scheduleId?: number;
}

/** The values of a request as they are stored. */
interface CheckedValues {
  readonly columns: Pick<ScheduleRow, 'launch_values' | 'extra_variables'>;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * The values of a request, checked as a launch would check them.
 * @throws bad_input also if a request names a saved launch and gives values of its own
 */
export const readValues = async (
  tx: StateTransaction,
  { master, checkLaunchValues }: ValuesDeps,
  { projectId, membership, input, scheduleId }: ValuesRequest,
): Promise<CheckedValues> => {
  const check = { projectId, templateId: input.template_id, mayOverride: permitsOverride(membership) };
  const saved = await lockNamedLaunch(tx, projectId, input);
  if (saved) {
    if (hasOwnValues(input.launch_values, saved)) throw badField('launch_values', 'field.not_allowed');
    await checkLaunchValues(tx, { ...check, values: saved });
    return { columns: { launch_values: NO_VALUES, extra_variables: '[]' }, secrets: new Map() };
  }
  const values = LaunchValues.parse(input.launch_values ?? {});
  const given = await scheduleAnswers.complete(tx, master, input.template_id, values, scheduleId);
  await checkLaunchValues(tx, { ...check, values: given.values });
  const survey = (await readSurvey(tx, input.template_id)) ?? [];
  const extra_variables = JSON.stringify(undeclaredVariables(survey, given.values.environment));
  return { columns: { launch_values: given.stored, extra_variables }, secrets: given.secrets };
};

/** The schedule after a change: values of its own replace a saved launch, and a saved launch its own values. */
export const changedInput = async (
  tx: StateTransaction,
  row: ScheduleRow,
  body: BodyOf<RouteTable['updateSchedule']>,
): Promise<GivenSchedule> => {
  const input = merged(NewSchedule, inputOf(row), body);
  if (input.saved_launch_id === null) return input;
  const { launch_values: given = null } = body;
  if (body.saved_launch_id != null) return { ...input, launch_values: given };
  const saved = await lockNamedLaunch(tx, row.project_id, input);
  return saved && hasOwnValues(given, saved) ? { ...input, saved_launch_id: null } : { ...input, launch_values: null };
};
