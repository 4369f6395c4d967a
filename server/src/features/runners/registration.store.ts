import { DAY_MS } from '@signalbox/contract/limits';
import type { Selectable } from 'kysely';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import type { RunnerRegistrationTable } from '../../database/runner-registration.schema.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

/** A prefix by which users and secret scanners recognize registration tokens. */
const KIND = 'sbreg_';

/** How long expired registration tokens stay in the list, in milliseconds. */
const KEPT_MS = 30 * DAY_MS;

interface NewRegistration {
  readonly name: string;
  readonly tags: readonly string[];
  readonly uses: number;
  readonly expires: Date;
  readonly createdBy: number;
}

const select = (db: StateReader) =>
  db
    .selectFrom('runner_registration')
    .leftJoin('users', 'users.id', 'runner_registration.created_by')
    .selectAll('runner_registration')
    .select(['users.name as creator', 'users.admin as creator_admin']);

export type RegistrationRow = Selectable<RunnerRegistrationTable> & {
  readonly creator: string | null;
  readonly creator_admin: 0 | 1 | null;
};

/** All registration tokens, newest first. */
export const listRegistrations = (db: StateReader): Promise<RegistrationRow[]> =>
  select(db).orderBy('runner_registration.id', 'desc').execute();

/** Stores a new registration token, and deletes those that expired long ago. Returns the token, which is not stored. */
export const insertRegistration = async (
  tx: StateTransaction,
  { name, tags, uses, expires, createdBy }: NewRegistration,
  now: Date,
): Promise<{ readonly row: RegistrationRow; readonly token: string }> => {
  const before = new Date(now.getTime() - KEPT_MS).toISOString();
  await tx.deleteFrom('runner_registration').where('expires', '<', before).execute();
  const token = KIND + newToken();
  const { id } = await tx
    .insertInto('runner_registration')
    .values({
      name,
      token_hash: hashToken(token),
      tags: JSON.stringify(tags),
      uses,
      uses_left: uses,
      expires: expires.toISOString(),
      created: now.toISOString(),
      created_by: createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { row: await select(tx).where('runner_registration.id', '=', id).executeTakeFirstOrThrow(), token };
};

/** Revokes a registration token. Undefined when it does not exist. */
export const deleteRegistration = (tx: StateTransaction, id: number): Promise<{ name: string } | undefined> =>
  tx.deleteFrom('runner_registration').where('id', '=', id).returning('name').executeTakeFirst();

/** Counts one use of a registration token. Undefined when it is unknown, used up or expired, or its creator is no admin. */
export const useRegistration = (
  tx: StateTransaction,
  token: string,
  now: Date,
): Promise<{ id: number; name: string; tags: string } | undefined> =>
  tx
    .updateTable('runner_registration')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1) }))
    .where('token_hash', '=', hashToken(token))
    .where('uses_left', '>', 0)
    .where('expires', '>', now.toISOString())
    .where('created_by', 'in', (eb) => eb.selectFrom('users').select('users.id').where('users.admin', '=', 1))
    .returning(['id', 'name', 'tags'])
    .executeTakeFirst();
