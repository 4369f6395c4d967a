import { NewSavedFilter, type SavedFilter } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { type Handlers, hiddenFrom, type Membership } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changedOwner, checkShared } from '../../http/objects/own-or-shared.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { checkFilter } from './filter-check.ts';
import {
  columnsOf,
  inputOf,
  insertSavedFilter,
  presentSavedFilter,
  refuseMany,
  type SavedFilterRow,
  visibleFilters,
} from './saved-filter.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
}

type SavedFilterRoutes = Extract<keyof Handlers, `${string}SavedFilter${string}`>;

interface OneCall {
  readonly params: { readonly project_id: number; readonly saved_filter_id: number };
  readonly caller: { readonly id: number };
  readonly membership: Membership;
}

const kind: ObjectKind<'saved_filter'> = {
  table: 'saved_filter',
  code: 'saved_filter',
  taken: (name) => ({ code: 'conflict.saved_filter_name_taken', params: { name } }),
  name: ({ name }) => name,
  present: (_db, row): SavedFilter => presentSavedFilter(row),
};

export const savedFiltersRoutes = ({ database, clock }: Deps): Pick<Handlers, SavedFilterRoutes> => {
  const find = async ({ params, caller }: OneCall): Promise<SavedFilterRow> => {
    const row = await visibleFilters(database.read, params.project_id, caller.id)
      .where('id', '=', params.saved_filter_id)
      .executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };
  /** Finds the saved filter, which the caller may change. */
  const checkChange = async (call: OneCall): Promise<void> => {
    const { user_id } = await find(call);
    checkShared(user_id === null, call.membership);
  };

  return {
    listSavedFilters: async ({ params, caller, membership }) => {
      const hidden = hiddenFrom(membership);
      const rows = await visibleFilters(database.read, params.project_id, caller.id)
        .orderBy('name')
        .orderBy('id')
        .execute();
      return rows.filter(({ template_id }) => !hidden.has(template_id ?? 0)).map(presentSavedFilter);
    },

    createSavedFilter: async ({ params, body, caller, membership, actor }) => {
      checkShared(body.shared, membership);
      const owner = { projectId: params.project_id, userId: body.shared ? null : caller.id };
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

    getSavedFilter: async (call) => presentSavedFilter(await find(call)),

    updateSavedFilter: async (call) => {
      await checkChange(call);
      await changeObject({ database, clock }, kind, call, call.params.saved_filter_id, async (tx, row) => {
        const input = merged(NewSavedFilter, inputOf(row), call.body);
        const userId = changedOwner(row, input.shared, call);
        if (input.shared !== (row.user_id === null)) await refuseMany(tx, { projectId: row.project_id, userId });
        if (call.body.filter !== undefined) await checkFilter(tx, input.filter, call.membership);
        return { user_id: userId, ...columnsOf(input) };
      });
    },

    deleteSavedFilter: async (call) => {
      await checkChange(call);
      await deleteObject({ database, clock }, kind, call, call.params.saved_filter_id);
    },
  };
};
