import type { Language, NewServiceAccount } from '@signalbox/contract';
import type { Insertable } from 'kysely';
import type { z } from 'zod';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import type { UserTable } from '../../database/schema.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import { hashPassword } from '../../secrets/password.ts';
import { hashToken } from '../../secrets/token.ts';

export interface UserInput {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly admin: boolean;
  readonly alert?: boolean;
  readonly external?: boolean;
  readonly service?: boolean;
  readonly can_create_project?: boolean;
  readonly billing?: boolean;
  readonly language?: Language | null;
}

const flag = (value: boolean | undefined) => (value ? 1 : 0);

/** No password matches this value. For users who sign in with a provider, and for service accounts. */
const NO_PASSWORD = '';

/** Returns the row of a new user. Hashing is slow on purpose, so this runs before the transaction starts. */
export const userRow = async (
  user: UserInput,
  now: Date,
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<Insertable<UserTable>> => ({
  username: user.username,
  username_key: user.username.toLowerCase(),
  name: user.name,
  email: user.email,
  email_key: user.email.toLowerCase(),
  password_hash: user.external || user.service ? NO_PASSWORD : await hash(user.password),
  admin: flag(user.admin),
  alert: flag(user.alert),
  external: flag(user.external),
  can_create_project: flag(user.can_create_project),
  billing: flag(user.billing),
  service: flag(user.service),
  language: user.language ?? null,
  created: now.toISOString(),
});

/** The values of a service account, which has no password and no email address to sign in with. */
export const serviceAccount = (input: z.output<typeof NewServiceAccount>): UserInput => ({
  ...input,
  service: true,
  email: '',
  password: '',
});

export const insertUser = async (tx: StateTransaction, row: Insertable<UserTable>): Promise<number> =>
  (await tx.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id;

export const listUsers = (db: StateReader) => db.selectFrom('users').selectAll().orderBy('username_key').execute();

/** The username and email address that a user wants; absent if unchanged. */
interface Reached {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * Sign-in takes usernames and email addresses, so no two users may share one, in whatever case.
 * @returns the error when another user has this username or email address, as either
 */
export const findTaken = async (
  tx: StateTransaction,
  { username = '', email = '' }: Reached,
  exceptId = 0,
): Promise<ApiError | undefined> => {
  const keys = [
    ['conflict.username_taken', username.toLowerCase()],
    ['conflict.email_taken', email.toLowerCase()],
  ] as const;
  for (const [code, key] of keys) {
    // Providers may not return an address, so several users may have none.
    if (key === '') continue;
    const taken = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '!=', exceptId)
      // An unconfirmed address must not prevent its owner from using it.
      .where((eb) =>
        eb.or([eb('username_key', '=', key), eb.and([eb('email_key', '=', key), eb('email_proven', '=', 1)])]),
      )
      .limit(1)
      .executeTakeFirst();
    if (taken) return new ApiError(code);
  }
  return undefined;
};

/** @throws conflict when another user has this username or email address, as either */
export const refuseTaken = async (...reached: Parameters<typeof findTaken>): Promise<void> => {
  const refusal = await findTaken(...reached);
  if (refusal) throw refusal;
};

interface NewHash {
  readonly hash: string;
  /** Whether the API tokens of the user end as well. */
  readonly endTokens: boolean;
  /** Token of the session to keep: the one in which the user changed the password. */
  readonly exceptSession?: string | undefined;
}

/** Stores a new password and ends every session of its user. */
export const changePassword = async (
  tx: StateTransaction,
  userId: number,
  { hash, endTokens, exceptSession = '' }: NewHash,
): Promise<void> => {
  await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute();
  await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', hashToken(exceptSession))
    .execute();
  if (endTokens) await tx.deleteFrom('api_token').where('user_id', '=', userId).execute();
  // A sign-in with the old password that waits for a code must start again.
  await tx.deleteFrom('held_sign_in').where('user_id', '=', userId).execute();
};

/** Deletes a user. Records of what the user did keep the name. */
export const deleteUser = async (
  tx: StateTransaction,
  user: { readonly id: number; readonly name: string },
): Promise<void> => {
  for (const table of ['event', 'task'] as const)
    await tx.updateTable(table).set({ deleted_user: user.name }).where('user_id', '=', user.id).execute();
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
};
