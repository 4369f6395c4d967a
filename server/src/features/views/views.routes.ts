import type { View } from '@signalbox/contract';
import { recordCreated } from '../../audit/created.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import type { Handlers } from '../../http/call.ts';
import { orTaken } from '../../http/taken.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
}

export const insertView = async (
  tx: StateTransaction,
  projectId: number,
  view: { readonly title: string; readonly position: number },
  actor: Actor,
  now: Date,
): Promise<View> => {
  const row = await tx
    .insertInto('view')
    .values({ project_id: projectId, title: view.title, position: view.position })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'View', { ...row, name: row.title }, actor, now);
  return row;
};

export const viewsRoutes = ({ database, clock }: Needs): Pick<Handlers, 'listViews' | 'createView'> => ({
  listViews: ({ params }) =>
    database.read
      .selectFrom('view')
      .selectAll()
      .where('project_id', '=', params.project_id)
      .orderBy('position')
      .orderBy('id')
      .execute(),

  createView: ({ params, body, actor }) =>
    orTaken(database, `There is already a view named ${body.title}.`, () =>
      database.write((tx) => insertView(tx, params.project_id, body, actor, clock.now())),
    ),
});
