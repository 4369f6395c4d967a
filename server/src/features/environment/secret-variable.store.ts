import type { SecretVariable, SecretVariableChange } from '@signalbox/contract';
import { sql } from 'kysely';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { badField } from '../../http/errors/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { encryptVariable } from '../../secrets/variable-secret.ts';

/** Lists the names of secret variables by environment, never their values. */
export const listSecrets = async (
  db: StateReader,
  environmentIds: readonly number[],
): Promise<ReadonlyMap<number, SecretVariable[]>> => {
  if (environmentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('environment_secret')
    .select(['id', 'environment_id', 'name', 'type'])
    .where('environment_id', 'in', environmentIds)
    .orderBy('id')
    .execute();
  const byEnvironment = new Map<number, SecretVariable[]>();
  for (const { environment_id, ...secret } of rows) {
    byEnvironment.set(environment_id, [...(byEnvironment.get(environment_id) ?? []), secret]);
  }
  return byEnvironment;
};

const create = async (
  tx: StateTransaction,
  master: MasterKey,
  environmentId: number,
  { name = '', type = 'var', secret = '' }: SecretVariableChange,
): Promise<void> => {
  const { id } = await tx
    .insertInto('environment_secret')
    .values({ environment_id: environmentId, name, type, secret: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('environment_secret')
    .set({ secret: encryptVariable(master, id, secret) })
    .where('id', '=', id)
    .execute();
};

const update = async (
  tx: StateTransaction,
  master: MasterKey,
  id: number,
  { name, type, secret }: SecretVariableChange,
): Promise<void> => {
  const values = {
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    // Forms send an empty value for a secret that was not edited.
    ...(secret ? { secret: encryptVariable(master, id, secret) } : {}),
  };
  if (Object.keys(values).length > 0) {
    await tx.updateTable('environment_secret').set(values).where('id', '=', id).execute();
  }
};

/**
 * Applies operations to the secret variables of an environment; variables without an operation stay. Deletes first,
 * so that a name can be reused, and allows two variables to swap names.
 * @throws bad_input for an id of another environment; the database error for a duplicate name
 */
export const changeSecrets = async (
  tx: StateTransaction,
  master: MasterKey,
  environmentId: number,
  changes: readonly SecretVariableChange[],
): Promise<void> => {
  const own = await tx
    .selectFrom('environment_secret')
    .select('id')
    .where('environment_id', '=', environmentId)
    .execute();
  const known = new Set(own.map((row) => row.id));
  for (const [index, { id, operation }] of changes.entries()) {
    if (operation !== 'create' && !known.has(id ?? 0)) {
      throw badField(`secrets.${index}.id`, 'field.not_secret');
    }
  }
  const renamed = changes.flatMap(({ id, operation, name }) => (operation === 'update' && name && id ? [id] : []));
  if (renamed.length > 0) {
    // No variable can have such a name.
    const aside = sql<string>`'#' || id`;
    await tx.updateTable('environment_secret').set({ name: aside }).where('id', 'in', renamed).execute();
  }
  const order = { delete: 0, update: 1, create: 2 };
  for (const change of changes.toSorted((a, b) => order[a.operation] - order[b.operation])) {
    if (change.operation === 'create') await create(tx, master, environmentId, change);
    else if (change.operation === 'update') await update(tx, master, change.id ?? 0, change);
    else {
      await tx
        .deleteFrom('environment_secret')
        .where('id', '=', change.id ?? 0)
        .execute();
    }
  }
};
