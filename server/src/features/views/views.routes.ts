import { NewView } from '@signalbox/contract';
import { isOwner } from '../../access/memberships.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Handlers, Membership } from '../../http/calls/call.ts';
import { ApiError, badField, notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { insertView, presentView } from './view.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
}

type ViewRoutes = 'listViews' | 'createView' | 'getView' | 'updateView' | 'deleteView' | 'placeViews';

const KIND: ObjectKind<'view'> = {
  table: 'view',
  code: 'view',
  taken: (name) => ({ code: 'conflict.view_name_taken', params: { name } }),
  name: (row) => row.title,
  present: (_db, row) => presentView(row),
};

/** Answers a view that the caller must not see like one that does not exist. */
const mustSee = ({ access }: Membership, viewId: number): void => {
  if (access?.hiddenViews.has(viewId)) throw notFound();
};

/**
 * Lets only owners restrict views, change or delete restricted ones, and delete those with grants.
 * @throws not_permitted.restriction_owners
 */
const checkViewRestriction = ({ permissions }: Membership, isRestricted: boolean): void => {
  if (isRestricted && !isOwner(permissions)) throw new ApiError('not_permitted.restriction_owners');
};

export const viewsRoutes = ({ database, clock }: Deps): Pick<Handlers, ViewRoutes> => {
  const views = (projectId: number) => database.read.selectFrom('view').selectAll().where('project_id', '=', projectId);

  return {
    listViews: async ({ params, query, membership }) => {
      const rows = await views(params.project_id).execute();
      const visible = rows.filter(({ id }) => !membership.access?.hiddenViews.has(id));
      return sorted(visible.map(presentView), query, 'position');
    },

    createView: ({ params, body, actor, membership }) => {
      checkViewRestriction(membership, body.restricted);
      return orTaken(
        database,
        () => KIND.taken(body.title),
        () => database.write((tx) => insertView(tx, params.project_id, body, actor, clock.now())),
      );
    },

    getView: async ({ params, membership }) => {
      mustSee(membership, params.view_id);
      const row = await views(params.project_id).where('id', '=', params.view_id).executeTakeFirst();
      if (!row) throw notFound();
      return presentView(row);
    },

    updateView: async (call) => {
      mustSee(call.membership, call.params.view_id);
      await changeObject({ database, clock }, KIND, call, call.params.view_id, async (_tx, row) => {
        const { title, position, restricted } = merged(NewView, presentView(row), call.body);
        const isRestricted = row.restricted === 1;
        checkViewRestriction(call.membership, isRestricted || restricted);
        return { title, position: position ?? row.position, restricted: restricted ? 1 : 0 } as const;
      });
    },

    deleteView: async (call) => {
      mustSee(call.membership, call.params.view_id);
      await deleteObject({ database, clock }, KIND, call, call.params.view_id, async (tx, row) => {
        const grant = await tx.selectFrom('access_grant').select('id').where('view_id', '=', row.id).executeTakeFirst();
        checkViewRestriction(call.membership, row.restricted === 1 || grant !== undefined);
      });
    },

    placeViews: async ({ params: { project_id }, body, actor, membership }) => {
      await database.write(async (tx) => {
        // In a fixed order, so that concurrent calls do not deadlock.
        for (const [id, position] of Object.entries(body).toSorted(([a], [b]) => Number(a) - Number(b))) {
          if (membership.access?.hiddenViews.has(Number(id))) throw badField(id, 'field.not_view');
          const moved = await tx
            .updateTable('view')
            .set({ position })
            .where('id', '=', Number(id))
            .where('project_id', '=', project_id)
            .returning('id')
            .executeTakeFirst();
          if (!moved) throw badField(id, 'field.not_view');
        }
        await recordEvent(tx, {
          actor,
          projectId: project_id,
          objectType: 'view',
          objectId: null,
          objectName: '',
          kind: 'view.order_changed',
          params: {},
          at: clock.now(),
        });
      });
    },
  };
};
