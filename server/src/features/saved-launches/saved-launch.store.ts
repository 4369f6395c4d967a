import { MAX_SAVED_LAUNCHES, type NewSavedLaunch, type SavedLaunch } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { ownOrShared } from '../../database/queries/own-or-shared.ts';
import type { SavedLaunchTable } from '../../database/saved-launch.schema.ts';
import { type OwnedLimit, refuseFull } from '../../http/objects/own-or-shared.ts';
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

export const LAUNCHES_PER_OWNER: OwnedLimit = {
  ...{ table: 'saved_launch', of: 'template_id', max: MAX_SAVED_LAUNCHES, error: 'conflict.saved_launches_full' },
};

interface Owner {
  readonly projectId: number;
  readonly templateId: number;
  /** Null for a shared one. */
  readonly userId: number | null;
}

/** @throws conflict when there are too many of the same owner */
export const insertSavedLaunch = async (
  tx: StateTransaction,
  { projectId, templateId, userId }: Owner,
  { name, launch_values }: Pick<SavedLaunchInput, 'name' | 'launch_values'>,
  actor: Actor,
  now: Date,
): Promise<SavedLaunchRow> => {
  const owned = { project_id: projectId, template_id: templateId, user_id: userId };
  await refuseFull(tx, LAUNCHES_PER_OWNER, owned);
  const row = await tx
    .insertInto('saved_launch')
    .values({ ...owned, name, launch_values: JSON.stringify(launch_values) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'saved_launch', row, actor, now);
  return row;
};
