import { type AccessTest, type KeyChange, type KeyToTest, type KeyType, NewKey } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { findReferences } from '../../database/queries/used-by.ts';
import type { AccessKeyTable } from '../../database/schema.ts';
import { projectWithRegistryKey } from '../../execution-environments.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { ApiError, badField, notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { checkReferences } from '../../http/objects/references.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { type DecryptedKey, decryptKeySecret, encryptKeySecret } from '../../secrets/key-secret.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { mapInSlices } from '../../work-slice.ts';
import { insertKey, presentKey } from './key.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
  /** Lets a runner test a key; undefined when none is connected. */
  readonly testAccess: (
    requester: { readonly projectId: number; readonly actor: Actor },
    accessRequest: {
      readonly about: { readonly type: 'key'; readonly id: number | null };
      readonly event: { readonly name: string; readonly kind: 'key.tested' | 'key.unsaved_tested' };
      readonly key: number | DecryptedKey;
      readonly repository: number | null;
    },
  ) => Promise<AccessTest | undefined>;
}

type KeyRoutes =
  | 'listKeys'
  | 'createKey'
  | 'getKey'
  | 'updateKey'
  | 'deleteKey'
  | 'getKeyReferences'
  | 'testKey'
  | 'testNewKey';

const JustName = z.object({ name: NewKey.shape.name });

/** The contract has checked that the fields for the type of the key are present. */
const secretOf = (input: Omit<z.output<typeof KeyToTest>, 'repository_id'>): DecryptedKey => {
  if (input.type === 'ssh' && input.ssh) return { type: 'ssh', ...input.ssh };
  if (input.type === 'login_password' && input.login_password) {
    return { type: 'login_password', ...input.login_password };
  }
  return { type: 'none' };
};

/**
 * The login that a change without a new secret sets; undefined keeps the stored one. An empty login only counts if it is
 * sent alone, because some clients always send all fields of a key, empty.
 */
const newLogin = (type: KeyType, body: z.output<typeof KeyChange>): string | undefined => {
  const { login, ...secret } = (type === 'none' ? undefined : body[type]) ?? {};
  const isAlone = Object.values(secret).every((field) => field === undefined);
  return login === '' && !isAlone ? undefined : login;
};

/** A key that is used to become another user, to open a vault, or to pull images must keep a password. */
const checkUses = async (tx: StateTransaction, projectId: number, id: number): Promise<void> => {
  const become = await tx.selectFrom('inventory').select('name').where('become_key_id', '=', id).executeTakeFirst();
  const vault = await tx
    .selectFrom('template')
    .leftJoin('template_object', 'template_object.template_id', 'template.id')
    .select('name')
    .where((eb) => eb.or([eb('template.vault_key_id', '=', id), eb('template_object.vault_key_id', '=', id)]))
    .limit(1)
    .executeTakeFirst();
  const user = become?.name ?? vault?.name ?? (await projectWithRegistryKey(tx, projectId, id));
  if (user) throw new ApiError('in_use.password_key', { user });
};

export const keysRoutes = ({ database, clock, master, testAccess }: Deps): Pick<Handlers, KeyRoutes> => {
  const kind: ObjectKind<'access_key'> = {
    table: 'access_key',
    code: 'key',
    taken: (name) => ({ code: 'conflict.key_name_taken', params: { name } }),
    name: (row) => row.name,
    present: (_db, row, permissions) => presentKey(master, row, permissions),
  };
  const keys = (projectId: number) =>
    database.read.selectFrom('access_key').selectAll().where('project_id', '=', projectId);
  const find = async (projectId: number, id: number) => {
    const row = await keys(projectId).where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound();
    return row;
  };

  const openForChange = (row: Selectable<AccessKeyTable>): DecryptedKey | undefined => {
    try {
      return decryptKeySecret(master, row);
    } catch {
      // The key that encrypted the secret is missing, or the row is damaged.
      return undefined;
    }
  };

  /** The encrypted secret of a stored key with another login; undefined if the login does not change. */
  const withLogin = (row: Selectable<AccessKeyTable>, login: string | undefined): string | undefined => {
    if (login === undefined) return undefined;
    const key = openForChange(row);
    // Forms and typed clients send an empty login when they could not read the stored one.
    if (key === undefined && login === '') return undefined;
    if (key === undefined) throw new ApiError('conflict.key_unreadable');
    return key.type === 'none' || key.login === login ? undefined : encryptKeySecret(master, row.id, { ...key, login });
  };

  /** Only an SSH key can be tested without a repository. */
  const checkTest = async (projectId: number, type: string, repositoryId: number | null): Promise<void> => {
    await checkReferences(database.read, projectId, [['repository_id', 'repository', repositoryId]]);
    if (repositoryId === null && type !== 'ssh') throw badField('repository_id', 'field.repository_needed');
  };
  const test = async (...accessRequest: Parameters<typeof testAccess>): Promise<AccessTest> => {
    const answer = await testAccess(...accessRequest);
    if (!answer) throw new ApiError('unavailable.runner_for_key');
    return answer;
  };
  return {
    listKeys: async ({ params, query, membership }) => {
      const rows = await keys(params.project_id).execute();
      const shown = await mapInSlices(rows, (row) => presentKey(master, row, membership.permissions));
      return sorted(shown, query, 'name', (key, column) =>
        column === 'login' ? key.ssh.login || key.login_password.login : key[column as 'name' | 'type'],
      );
    },

    createKey: ({ params, body, actor }) =>
      orTaken(
        database,
        () => kind.taken(body.name),
        () =>
          database.write((tx) =>
            insertKey(tx, master, params.project_id, body.name, secretOf(body), actor, clock.now()),
          ),
      ),

    getKey: async ({ params, membership }) =>
      presentKey(master, await find(params.project_id, params.key_id), membership.permissions),

    updateKey: async (call) => {
      const { body, params } = call;
      await changeObject({ database, clock }, kind, call, params.key_id, async (tx, row) => {
        if (!body.override_secret) {
          const type = body.type ?? row.type;
          if (type !== row.type) throw badField('type', 'field.type_with_secret');
          const secret = withLogin(row, newLogin(type, body));
          return { name: merged(JustName, { name: row.name }, body).name, ...(secret === undefined ? {} : { secret }) };
        }
        const input = merged(NewKey, { name: row.name, type: row.type }, body);
        if (input.type !== row.type && input.type !== 'login_password') await checkUses(tx, row.project_id, row.id);
        return { name: input.name, type: input.type, secret: encryptKeySecret(master, row.id, secretOf(input)) };
      });
    },

    deleteKey: (call) =>
      deleteObject({ database, clock }, kind, call, call.params.key_id, async (tx, { id, project_id }) => {
        const project = await projectWithRegistryKey(tx, project_id, id);
        if (project !== undefined) throw new ApiError('in_use.registry_key', { project });
      }),

    getKeyReferences: async ({ params, membership }) => {
      const { id } = await find(params.project_id, params.key_id);
      return await findReferences(database.read, 'access_key', id, hiddenFrom(membership));
    },

    testKey: async ({ params, body, actor }) => {
      const { id, name, type } = await find(params.project_id, params.key_id);
      await checkTest(params.project_id, type, body.repository_id);
      const event = { name, kind: 'key.tested' } as const;
      const about = { type: 'key', id } as const;
      const requester = { projectId: params.project_id, actor };
      return await test(requester, { about, event, key: id, repository: body.repository_id });
    },

    testNewKey: async ({ params, body, actor }) => {
      await checkTest(params.project_id, body.type, body.repository_id);
      const event = { name: '', kind: 'key.unsaved_tested' } as const;
      const about = { type: 'key', id: null } as const;
      const requester = { projectId: params.project_id, actor };
      return await test(requester, { about, event, key: secretOf(body), repository: body.repository_id });
    },
  };
};
