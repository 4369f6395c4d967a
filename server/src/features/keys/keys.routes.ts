import type { RouteTable } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { notFound } from '../../http/api-error.ts';
import type { Call, Handlers } from '../../http/call.ts';
import { orTaken } from '../../http/taken.ts';
import type { OpenKey } from '../../secrets/key-secret.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { insertKey, presentKey } from './key.store.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
}

/** The contract has checked that the part of the key's type is there. */
const secretOf = (body: Call<RouteTable['createKey']>['body']): OpenKey => {
  if (body.type === 'ssh' && body.ssh) return { type: 'ssh', ...body.ssh };
  if (body.type === 'login_password' && body.login_password) return { type: 'login_password', ...body.login_password };
  return { type: 'none' };
};

export const keysRoutes = ({ database, clock, master }: Needs): Pick<Handlers, 'listKeys' | 'createKey' | 'getKey'> => {
  const keys = (projectId: number) =>
    database.read
      .selectFrom('access_key')
      .select(['id', 'project_id', 'name', 'type'])
      .where('project_id', '=', projectId)
      .orderBy('name');
  return {
    listKeys: async ({ params }) => (await keys(params.project_id).execute()).map(presentKey),

    createKey: ({ params, body, actor }) =>
      orTaken(database, `There is already a key named ${body.name}.`, () =>
        database.write((tx) => insertKey(tx, master, params.project_id, body.name, secretOf(body), actor, clock.now())),
      ),

    getKey: async ({ params }) => {
      const row = await keys(params.project_id).where('id', '=', params.key_id).executeTakeFirst();
      if (!row) throw notFound();
      return presentKey(row);
    },
  };
};
