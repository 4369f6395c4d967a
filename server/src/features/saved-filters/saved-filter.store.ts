import { MAX_SAVED_FILTERS, type NewSavedFilter, type SavedFilter } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { lockProject } from '../../database/queries/lock-project.ts';
import { countOwned, ownOrShared } from '../../database/queries/own-or-shared.ts';
import type { SavedFilterTable } from '../../database/saved-filter.schema.ts';
import { ApiError } from '../../http/errors/api-error.ts';

export type SavedFilterRow = Selectable<SavedFilterTable>;

export type SavedFilterInput = z.output<typeof NewSavedFilter>;

export const inputOf = ({
  name,
  user_id,
  search,
  status,
  end_reason,
  template_id,
  starter_id,
}: SavedFilterRow): SavedFilterInput => ({
  name,
  shared: user_id === null,
  filter: { search, status, end_reason, template_id, user_id: starter_id },
});

export const columnsOf = ({ name, filter: { user_id, ...filter } }: Pick<SavedFilterInput, 'name' | 'filter'>) => ({
  name,
  ...filter,
  starter_id: user_id,
});

export const presentSavedFilter = (row: SavedFilterRow): SavedFilter => ({
  id: row.id,
  project_id: row.project_id,
  ...inputOf(row),
});

/** The saved filters of a project that a user sees: those that are shared, and their own. */
export const visibleFilters = (db: StateReader, projectId: number, userId: number) =>
  db
    .selectFrom('saved_filter')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(ownOrShared('saved_filter', userId));

interface Owner {
  readonly projectId: number;
  /** The owner; null for a shared one. */
  readonly userId: number | null;
}

/** @throws conflict when there are too many of the same owner */
export const refuseMany = async (tx: StateTransaction, { projectId, userId }: Owner): Promise<void> => {
  await lockProject(tx, projectId);
  if ((await countOwned(tx, 'saved_filter', ['project_id', projectId], userId)) >= MAX_SAVED_FILTERS)
    throw new ApiError('conflict.saved_filters_full', { max: MAX_SAVED_FILTERS });
};

export const insertSavedFilter = async (
  tx: StateTransaction,
  owner: Owner,
  input: Pick<SavedFilterInput, 'name' | 'filter'>,
  actor: Actor,
  now: Date,
): Promise<SavedFilterRow> => {
  await refuseMany(tx, owner);
  const row = await tx
    .insertInto('saved_filter')
    .values({ project_id: owner.projectId, user_id: owner.userId, ...columnsOf(input) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'saved_filter', row, actor, now);
  return row;
};
