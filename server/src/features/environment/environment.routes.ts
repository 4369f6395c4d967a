import { type Environment, NewEnvironment, type SecretVariableChange } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import { findReferences } from '../../database/queries/used-by.ts';
import type { EnvironmentTable } from '../../database/schema.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { sorted } from '../../http/objects/sorted.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { mapInSlices } from '../../work-slice.ts';
import { insertEnvironment, presentEnvironments } from './environment.store.ts';
import { changeSecrets } from './secret-variable.store.ts';

interface Deps {
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
  db: StateReader,
  row: Selectable<EnvironmentTable> | undefined,
  permissions: number,
): Promise<Environment> => {
  const [environment] = row ? await presentEnvironments(db, [row], permissions) : [];
  if (!environment) throw notFound();
  return environment;
};

const variableCount = ({ json, env }: Environment): number =>
  [json, env].flatMap((text) => Object.keys(JSON.parse(text) as object)).length;

const countVariables = async (rows: readonly Environment[]): Promise<Map<number, number>> =>
  new Map(await mapInSlices(rows, (row) => [row.id, variableCount(row)] as const));

const KIND: ObjectKind<'environment'> = {
  table: 'environment',
  code: 'environment',
  taken: (name) => ({ code: 'conflict.environment_name_taken', params: { name } }),
  name: (row) => row.name,
  present: presentOne,
};

/** @throws conflict when the environment would have two secrets of the same name */
const change = async (
  { database, master }: Deps,
  tx: StateTransaction,
  environmentId: number,
  secrets: readonly SecretVariableChange[],
): Promise<void> =>
  orTaken(
    database,
    () => ({ code: 'conflict.secret_twice' }),
    () => changeSecrets(tx, master, environmentId, secrets),
  );

export const environmentRoutes = (deps: Deps): Pick<Handlers, EnvironmentRoutes> => {
  const { database, clock } = deps;
  const environments = (projectId: number) =>
    database.read.selectFrom('environment').selectAll().where('project_id', '=', projectId);
  const find = (projectId: number, id: number) => environments(projectId).where('id', '=', id).executeTakeFirst();

  return {
    listEnvironments: async ({ params, query, membership }) => {
      const rows = await environments(params.project_id).execute();
      const shown = await presentEnvironments(database.read, rows, membership.permissions);
      const counts = query.sort === 'variables' ? await countVariables(shown) : undefined;
      return sorted(shown, query, 'name', (row, column) => {
        if (column === 'variables') return counts?.get(row.id);
        return column === 'secrets' ? row.secrets.length : row.name;
      });
    },

    createEnvironment: ({ params, body, actor, membership }) =>
      orTaken(
        database,
        () => KIND.taken(body.name),
        () =>
          database.write(async (tx) => {
            const row = await insertEnvironment(tx, params.project_id, body, actor, clock.now());
            await change(deps, tx, row.id, body.secrets);
            return await presentOne(tx, row, membership.permissions);
          }),
      ),

    getEnvironment: async ({ params, membership }) =>
      presentOne(database.read, await find(params.project_id, params.environment_id), membership.permissions),

    updateEnvironment: (call) =>
      changeObject({ database, clock }, KIND, call, call.params.environment_id, async (tx, row) => {
        const { name, json, env, secrets } = merged(NewEnvironment, row, call.body);
        await change(deps, tx, row.id, secrets);
        return { name, json, env };
      }),

    deleteEnvironment: (call) => deleteObject({ database, clock }, KIND, call, call.params.environment_id),

    getEnvironmentReferences: async ({ params, membership }) => {
      const row = await find(params.project_id, params.environment_id);
      if (!row) throw notFound();
      return await findReferences(database.read, 'environment', row.id, hiddenFrom(membership));
    },
  };
};
