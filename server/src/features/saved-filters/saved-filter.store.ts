import { MAX_SAVED_FILTERS, type NewSavedFilter, type SavedFilter } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { SavedFilterTable } from '../../database/saved-filter.schema.ts';
import { type OwnedLimit, refuseFull } from '../../http/objects/own-or-shared.ts';

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
  days,
  from_day,
  to_day,
}: SavedFilterRow): SavedFilterInput => ({
  name,
  shared: user_id === null,
  filter: { search, status, end_reason, template_id, user_id: starter_id, days, from: from_day, to: to_day },
});

export const columnsOf = ({
  name,
  filter: { user_id, from, to, ...filter },
}: Pick<SavedFilterInput, 'name' | 'filter'>) => ({
  name,
  ...filter,
  starter_id: user_id,
  from_day: from,
  to_day: to,
});

export const presentSavedFilter = (row: SavedFilterRow): SavedFilter => ({
  id: row.id,
  project_id: row.project_id,
  ...inputOf(row),
});

export const FILTERS_PER_OWNER: OwnedLimit = {
  ...{ table: 'saved_filter', of: 'project_id', max: MAX_SAVED_FILTERS, error: 'conflict.saved_filters_full' },
};

interface Owner {
  readonly projectId: number;
  /** Null for a shared one. */
  readonly userId: number | null;
}

/** @throws conflict when there are too many of the same owner */
export const insertSavedFilter = async (
  tx: StateTransaction,
  { projectId, userId }: Owner,
  input: Pick<SavedFilterInput, 'name' | 'filter'>,
  actor: Actor,
  now: Date,
): Promise<SavedFilterRow> => {
  await refuseFull(tx, FILTERS_PER_OWNER, { project_id: projectId, template_id: null, user_id: userId });
  const row = await tx
    .insertInto('saved_filter')
    .values({ project_id: projectId, user_id: userId, ...columnsOf(input) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'saved_filter', row, actor, now);
  return row;
};
