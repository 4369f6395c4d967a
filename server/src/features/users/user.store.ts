import type { Insertable } from 'kysely';
import type { State, StateTransaction } from '../../database/database.ts';
import type { UserTable } from '../../database/schema.ts';
import { hashPassword } from '../../secrets/password.ts';

export interface NewUser {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly admin: boolean;
}

/** The row of a new local user; hashing is slow on purpose, so it is done before a transaction starts. */
export const userRow = async (user: NewUser, now: Date): Promise<Insertable<UserTable>> => ({
  username: user.username,
  username_key: user.username.toLowerCase(),
  name: user.name,
  email: user.email,
  email_key: user.email.toLowerCase(),
  password_hash: await hashPassword(user.password),
  admin: user.admin ? 1 : 0,
  alert: 0,
  external: 0,
  can_create_project: user.admin ? 1 : 0,
  billing: 0,
  created: now.toISOString(),
});

export const insertUser = async (tx: StateTransaction, row: Insertable<UserTable>): Promise<number> =>
  (await tx.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id;

export const listUsers = (db: State) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'admin', 'external'])
    .orderBy('username_key')
    .execute();

export const findUserByLogin = (db: State, login: string) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'external'])
    .where('username_key', '=', login.toLowerCase())
    .executeTakeFirst();

/** Stores a new password and ends every session of its user. */
export const changePassword = async (tx: StateTransaction, userId: number, passwordHash: string): Promise<void> => {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
  await tx.deleteFrom('session').where('user_id', '=', userId).execute();
};
