import { NewLabel } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { insertLabel } from './label.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
}

type LabelRoutes = 'listLabels' | 'createLabel' | 'getLabel' | 'updateLabel' | 'deleteLabel';

const KIND: ObjectKind<'label'> = {
  table: 'label',
  code: 'label',
  taken: (name) => ({ code: 'conflict.label_name_taken', params: { name } }),
  name: (row) => row.name,
  present: (_db, row) => row,
};

export const labelsRoutes = ({ database, clock }: Deps): Pick<Handlers, LabelRoutes> => {
  const labels = (projectId: number) =>
    database.read.selectFrom('label').selectAll().where('project_id', '=', projectId);

  return {
    listLabels: async ({ params, query }) => sorted(await labels(params.project_id).execute(), query, 'name'),

    createLabel: ({ params, body, actor }) =>
      orTaken(
        database,
        () => KIND.taken(body.name),
        () => database.write((tx) => insertLabel(tx, params.project_id, body, actor, clock.now())),
      ),

    getLabel: async ({ params }) => {
      const row = await labels(params.project_id).where('id', '=', params.label_id).executeTakeFirst();
      if (!row) throw notFound();
      return row;
    },

    updateLabel: (call) =>
      changeObject({ database, clock }, KIND, call, call.params.label_id, async (_tx, row) =>
        merged(NewLabel, row, call.body),
      ),

    deleteLabel: (call) => deleteObject({ database, clock }, KIND, call, call.params.label_id),
  };
};
