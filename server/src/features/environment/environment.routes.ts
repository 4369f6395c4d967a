import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { orTaken } from '../../http/taken.ts';
import { insertEnvironment, presentEnvironment } from './environment.store.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
}

export const environmentRoutes = ({
  database,
  clock,
}: Needs): Pick<Handlers, 'listEnvironments' | 'createEnvironment' | 'getEnvironment'> => {
  const environments = (projectId: number) =>
    database.read.selectFrom('environment').selectAll().where('project_id', '=', projectId).orderBy('name');
  return {
    listEnvironments: async ({ params, membership }) =>
      (await environments(params.project_id).execute()).map((row) => presentEnvironment(row, membership.permissions)),

    createEnvironment: ({ params, body, actor }) =>
      orTaken(database, `There is already an environment named ${body.name}.`, () =>
        database.write((tx) => insertEnvironment(tx, params.project_id, body, actor, clock.now())),
      ),

    getEnvironment: async ({ params, membership }) => {
      const row = await environments(params.project_id).where('id', '=', params.environment_id).executeTakeFirst();
      if (!row) throw notFound();
      return presentEnvironment(row, membership.permissions);
    },
  };
};
