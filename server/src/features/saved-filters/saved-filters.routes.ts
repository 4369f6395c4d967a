import { NewSavedFilter, type SavedFilter } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { visibleRows } from '../../database/queries/own-or-shared.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changedOwner, checkChangeable, findVisible, newOwner } from '../../http/objects/own-or-shared.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { checkFilter } from './filter-check.ts';
import { columnsOf, FILTERS_PER_OWNER, inputOf, insertSavedFilter, presentSavedFilter } from './saved-filter.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
}

type SavedFilterRoutes = Extract<keyof Handlers, `${string}SavedFilter${string}`>;

const kind: ObjectKind<'saved_filter'> = {
  table: 'saved_filter',
  code: 'saved_filter',
  taken: (name) => ({ code: 'conflict.saved_filter_name_taken', params: { name } }),
  name: ({ name }) => name,
  present: (_db, row): SavedFilter => presentSavedFilter(row),
};

export const savedFiltersRoutes = ({ database, clock }: Deps): Pick<Handlers, SavedFilterRoutes> => ({
  listSavedFilters: async ({ params, caller, membership }) => {
    const hidden = hiddenFrom(membership);
    const rows = await visibleRows(database.read, 'saved_filter', params, caller.id)
      .orderBy('name')
      .orderBy('id')
      .execute();
    return rows.filter(({ template_id }) => !hidden.has(template_id ?? 0)).map(presentSavedFilter);
  },

  createSavedFilter: async ({ params, body, caller, membership, actor }) => {
    const owner = { projectId: params.project_id, userId: newOwner(body.shared, { membership, caller }) };
    const row = await orTaken(
      database,
      () => kind.taken(body.name),
      () =>
        database.write(async (tx) => {
          await checkFilter(tx, body.filter, membership);
          return await insertSavedFilter(tx, owner, body, actor, clock.now());
        }),
    );
    return presentSavedFilter(row);
  },

  getSavedFilter: async (call) =>
    presentSavedFilter(await findVisible(database.read, 'saved_filter', call, call.params.saved_filter_id)),

  updateSavedFilter: async (call) => {
    await checkChangeable(database.read, 'saved_filter', call, call.params.saved_filter_id);
    await changeObject({ database, clock }, kind, call, call.params.saved_filter_id, async (tx, row) => {
      const input = merged(NewSavedFilter, inputOf(row), call.body);
      const userId = await changedOwner(tx, FILTERS_PER_OWNER, row, input.shared, call);
      if (call.body.filter !== undefined) await checkFilter(tx, input.filter, call.membership);
      return { user_id: userId, ...columnsOf(input) };
    });
  },

  deleteSavedFilter: async (call) => {
    await checkChangeable(database.read, 'saved_filter', call, call.params.saved_filter_id);
    await deleteObject({ database, clock }, kind, call, call.params.saved_filter_id);
  },
});
