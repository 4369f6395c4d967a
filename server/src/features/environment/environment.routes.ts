import { type Environment, NewEnvironment } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database, State } from '../../database/database.ts';
import type { EnvironmentTable } from '../../database/schema.ts';
import { findReferences } from '../../database/used-by.ts';
import { notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { merged } from '../../http/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/project-object.ts';
import { sorted } from '../../http/sorted.ts';
import { orTaken } from '../../http/taken.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { insertEnvironment, presentEnvironments } from './environment.store.ts';
import { changeSecrets } from './secret-variable.store.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
}

type EnvironmentRoutes =
  | 'listEnvironments'
  | 'createEnvironment'
  | 'getEnvironment'
  | 'updateEnvironment'
  | 'deleteEnvironment'
  | 'getEnvironmentReferences';

const presentOne = async (
  db: State,
  row: Selectable<EnvironmentTable> | undefined,
  permissions: number,
): Promise<Environment> => {
  const [environment] = row ? await presentEnvironments(db, [row], permissions) : [];
  if (!environment) throw notFound();
  return environment;
};

const KIND: ObjectKind<'environment'> = {
  table: 'environment',
  noun: 'Environment',
  name: (row) => row.name,
  present: presentOne,
};

export const environmentRoutes = ({ database, clock, master }: Needs): Pick<Handlers, EnvironmentRoutes> => {
  const environments = (projectId: number) =>
    database.read.selectFrom('environment').selectAll().where('project_id', '=', projectId);
  const find = (projectId: number, id: number) => environments(projectId).where('id', '=', id).executeTakeFirst();

  return {
    listEnvironments: async ({ params, query, membership }) => {
      const rows = await environments(params.project_id).execute();
      return sorted(await presentEnvironments(database.read, rows, membership.permissions), query, 'name');
    },

    createEnvironment: ({ params, body, actor, membership }) =>
      orTaken(database, `There is already an environment named ${body.name}, or a secret is named twice.`, () =>
        database.write(async (tx) => {
          const row = await insertEnvironment(tx, params.project_id, body, actor, clock.now());
          await changeSecrets(tx, master, row.id, body.secrets);
          return await presentOne(tx, row, membership.permissions);
        }),
      ),

    getEnvironment: async ({ params, membership }) =>
      presentOne(database.read, await find(params.project_id, params.environment_id), membership.permissions),

    updateEnvironment: (call) =>
      changeObject({ database, clock }, KIND, call, call.params.environment_id, async (tx, row) => {
        const { name, json, env, secrets } = merged(NewEnvironment, row, call.body);
        await changeSecrets(tx, master, row.id, secrets);
        return { name, json, env };
      }),

    deleteEnvironment: (call) => deleteObject({ database, clock }, KIND, call, call.params.environment_id),

    getEnvironmentReferences: async ({ params }) => {
      const row = await find(params.project_id, params.environment_id);
      if (!row) throw notFound();
      return await findReferences(database.read, 'environment', row.id);
    },
  };
};
