import { MAX_SAVED_LAUNCHES, type NewSavedLaunch, type SavedLaunch } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { lockProject } from '../../database/queries/lock-project.ts';
import { countOwned, ownOrShared } from '../../database/queries/own-or-shared.ts';
import type { SavedLaunchTable } from '../../database/saved-launch.schema.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import { storedValues } from '../../stored-answers/stored-values.ts';

export type SavedLaunchRow = Selectable<SavedLaunchTable>;

export type SavedLaunchInput = z.output<typeof NewSavedLaunch>;

export const inputOf = (row: SavedLaunchRow): SavedLaunchInput => ({
  name: row.name,
  shared: row.user_id === null,
  launch_values: storedValues(row),
});

export const presentSavedLaunch = (row: SavedLaunchRow): SavedLaunch => ({
  id: row.id,
  project_id: row.project_id,
  template_id: row.template_id,
  ...inputOf(row),
});

/** The saved launches of a template that a user sees: those that are shared, and their own. */
export const visibleLaunches = (
  db: StateReader,
  { project_id, template_id }: { readonly project_id: number; readonly template_id: number },
  userId: number,
) =>
  db
    .selectFrom('saved_launch')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('template_id', '=', template_id)
    .where(ownOrShared('saved_launch', userId));

/** The number of saved launches that a user sees of each template of a project that has some. */
export const countLaunches = async (db: StateReader, projectId: number, userId: number) => {
  const rows = await db
    .selectFrom('saved_launch')
    .select((eb) => ['template_id', eb.fn.countAll().as('count')])
    .where('project_id', '=', projectId)
    .where(ownOrShared('saved_launch', userId))
    .groupBy('template_id')
    .orderBy('template_id')
    .execute();
  return rows.map(({ template_id, count }) => ({ template_id, launches: Number(count) }));
};

interface Owner {
  readonly projectId: number;
  readonly templateId: number;
  /** The owner; null for a shared one. */
  readonly userId: number | null;
}

/** @throws conflict when there are too many of the same owner */
export const refuseMany = async (tx: StateTransaction, { projectId, templateId, userId }: Owner): Promise<void> => {
  await lockProject(tx, projectId);
  if ((await countOwned(tx, 'saved_launch', ['template_id', templateId], userId)) >= MAX_SAVED_LAUNCHES)
    throw new ApiError('conflict.saved_launches_full', { max: MAX_SAVED_LAUNCHES });
};

export const insertSavedLaunch = async (
  tx: StateTransaction,
  owner: Owner,
  { name, launch_values }: Pick<SavedLaunchInput, 'name' | 'launch_values'>,
  actor: Actor,
  now: Date,
): Promise<SavedLaunchRow> => {
  await refuseMany(tx, owner);
  const row = await tx
    .insertInto('saved_launch')
    .values({
      project_id: owner.projectId,
      template_id: owner.templateId,
      user_id: owner.userId,
      name,
      launch_values: JSON.stringify(launch_values),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'saved_launch', row, actor, now);
  return row;
};
