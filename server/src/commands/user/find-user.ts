import type { Selectable } from 'kysely';
import type { StateReader } from '../../database/database.ts';
import type { UserTable } from '../../database/schema.ts';
import { StartError } from '../../start-error.ts';

/** Identifies a user by exactly one of the two. */
export interface Who {
  readonly login?: string | undefined;
  readonly email?: string | undefined;
}

/** @throws StartError when the user does not exist, or neither option is given */
export const findUser = async (db: StateReader, { login, email }: Who): Promise<Selectable<UserTable>> => {
  if ((login === undefined) === (email === undefined)) throw new StartError('Give either --login or --email.');
  const [column, key] =
    login === undefined ? (['email_key', email ?? ''] as const) : (['username_key', login] as const);
  const [user, second] = await db
    .selectFrom('users')
    .selectAll()
    .where(column, '=', key.toLowerCase())
    .orderBy('id')
    .limit(2)
    .execute();
  if (!user) throw new StartError(`There is no user ${key}.`);
  if (second) throw new StartError(`More than one user has the email address ${key}: name one with --login.`);
  return user;
};
