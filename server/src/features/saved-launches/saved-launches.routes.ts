import { NewSavedLaunch, type SavedLaunch } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { visibleRows } from '../../database/queries/own-or-shared.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import { type Handlers, hiddenFrom, permitsOverride } from '../../http/calls/call.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changedOwner, checkChangeable, findVisible, newOwner } from '../../http/objects/own-or-shared.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import type { CheckLaunchValues } from '../../stored-answers/launch-checks.ts';
import {
  countLaunches,
  inputOf,
  insertSavedLaunch,
  LAUNCHES_PER_OWNER,
  presentSavedLaunch,
  type SavedLaunchRow,
} from './saved-launch.store.ts';
import { checkValues } from './saved-launch-values.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly checkLaunchValues: CheckLaunchValues;
  /** Called with the project of a saved launch that schedules may start with. */
  readonly sharedChanged: (projectId: number) => void;
}

type SavedLaunchRoutes = Extract<keyof Handlers, `${string}SavedLaunch${string}`>;

const kind: ObjectKind<'saved_launch'> = {
  table: 'saved_launch',
  code: 'saved_launch',
  taken: (name) => ({ code: 'conflict.saved_launch_name_taken', params: { name } }),
  name: ({ name }) => name,
  present: (_db, row): SavedLaunch => presentSavedLaunch(row),
};

/** @throws in_use while a schedule starts with the saved launch, because other members could not see it any more */
const refuseUsed = async (tx: StateTransaction, { id }: SavedLaunchRow): Promise<void> => {
  const schedule = await tx.selectFrom('schedule').select('id').where('saved_launch_id', '=', id).executeTakeFirst();
  if (schedule) throw new ApiError('in_use.saved_launch');
};

export const savedLaunchesRoutes = ({
  database,
  clock,
  checkLaunchValues,
  sharedChanged,
}: Deps): Pick<Handlers, SavedLaunchRoutes> => ({
  listSavedLaunches: async ({ params, caller }) => {
    if (!(await belongsTo(database.read, 'template', params.template_id, params.project_id))) throw notFound();
    const rows = await visibleRows(database.read, 'saved_launch', params, caller.id)
      .orderBy('name')
      .orderBy('id')
      .execute();
    return rows.map(presentSavedLaunch);
  },

  listSavedLaunchCounts: async ({ params, caller, membership }) => {
    const hidden = hiddenFrom(membership);
    const counts = await countLaunches(database.read, params.project_id, caller.id);
    return counts.filter(({ template_id }) => !hidden.has(template_id));
  },

  createSavedLaunch: async ({ params, body, caller, membership, actor }) => {
    const userId = newOwner(body.shared, { membership, caller });
    const row = await orTaken(
      database,
      () => kind.taken(body.name),
      () =>
        database.write(async (tx) => {
          const given = { ...params, values: body.launch_values, mayOverride: permitsOverride(membership) };
          await checkValues(tx, given, checkLaunchValues);
          const { project_id: projectId, template_id: templateId } = params;
          const owner = { projectId, templateId, userId };
          return await insertSavedLaunch(tx, owner, body, actor, clock.now());
        }),
    );
    return presentSavedLaunch(row);
  },

  getSavedLaunch: async (call) =>
    presentSavedLaunch(await findVisible(database.read, 'saved_launch', call, call.params.launch_id)),

  updateSavedLaunch: async (call) => {
    const { params, membership, body } = call;
    await checkChangeable(database.read, 'saved_launch', call, call.params.launch_id);
    await changeObject({ database, clock }, kind, call, params.launch_id, async (tx, row) => {
      const input = merged(NewSavedLaunch, inputOf(row), body);
      if (row.user_id === null && !input.shared) await refuseUsed(tx, row);
      const userId = await changedOwner(tx, LAUNCHES_PER_OWNER, row, input.shared, call);
      if (body.launch_values !== undefined) {
        const given = { ...params, values: input.launch_values, mayOverride: permitsOverride(membership) };
        await checkValues(tx, given, checkLaunchValues);
      }
      return { name: input.name, user_id: userId, launch_values: JSON.stringify(input.launch_values) };
    });
    sharedChanged(params.project_id);
  },

  deleteSavedLaunch: async (call) => {
    await checkChangeable(database.read, 'saved_launch', call, call.params.launch_id);
    await deleteObject({ database, clock }, kind, call, call.params.launch_id);
  },
});
