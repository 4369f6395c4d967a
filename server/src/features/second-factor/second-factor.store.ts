import type { Selectable } from 'kysely';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import type { UserTable } from '../../database/schema.ts';
import type { SecondFactorTable } from '../../database/second-factor.schema.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { decryptSecondFactor, encryptSecondFactor } from '../../secrets/second-factor-secret.ts';
import { hashToken } from '../../secrets/token.ts';
import { bareCode, isOneTimeCode, stepOf } from './one-time-code.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';

export type SecondFactorRow = Selectable<SecondFactorTable>;

/**
 * Reads a user and locks the row until the transaction ends, so that a concurrent change waits. An update without a
 * change does so on both databases.
 */
export const lockUser = (tx: StateTransaction, id: number): Promise<Selectable<UserTable> | undefined> =>
  tx
    .updateTable('users')
    .set((eb) => ({ password_hash: eb.ref('password_hash') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export const findSecondFactor = (db: StateReader, userId: number): Promise<SecondFactorRow | undefined> =>
  db.selectFrom('second_factor').selectAll().where('user_id', '=', userId).executeTakeFirst();

export const countRecoveryCodes = async (db: StateReader, userId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Stores a new secret that is not yet active. Replaces an earlier one that was not confirmed. */
export const beginFactor = async (
  tx: StateTransaction,
  master: MasterKey,
  userId: number,
  secret: string,
  now: Date,
): Promise<void> => {
  await tx.deleteFrom('second_factor').where('user_id', '=', userId).execute();
  const { id } = await tx
    .insertInto('second_factor')
    .values({ user_id: userId, secret: '', created: now.toISOString(), confirmed: null, last_step: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('second_factor')
    .set({ secret: encryptSecondFactor(master, id, secret) })
    .where('id', '=', id)
    .execute();
};

/** Accepts a code of the app once, and no code older than an accepted one. */
export const useOneTimeCode = async (
  tx: StateTransaction,
  master: MasterKey,
  row: SecondFactorRow,
  code: string,
  now: Date,
): Promise<boolean> => {
  const bare = bareCode(code);
  const step = isOneTimeCode(bare) ? stepOf(decryptSecondFactor(master, row), bare, now) : undefined;
  if (step === undefined) return false;
  const used = await tx
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('id', '=', row.id)
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
};

/**
 * Accepts a code of the app or a recovery code, each only once, even with simultaneous calls.
 * @returns undefined for a wrong or used code
 */
export const useCode = async (
  tx: StateTransaction,
  master: MasterKey,
  userId: number,
  code: string,
  now: Date,
): Promise<'app' | 'recovery' | undefined> => {
  const bare = bareCode(code);
  if (isOneTimeCode(bare)) {
    const row = await findSecondFactor(tx, userId);
    return row && row.confirmed !== null && (await useOneTimeCode(tx, master, row, code, now)) ? 'app' : undefined;
  }
  const used = await tx
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashRecoveryCode(bare))
    .returning('id')
    .executeTakeFirst();
  return used && 'recovery';
};

/** Replaces the recovery codes. The returned codes are not stored. */
export const renewCodes = async (tx: StateTransaction, userId: number): Promise<string[]> => {
  const codes = newRecoveryCodes();
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashRecoveryCode(bareCode(code)) })))
    .execute();
  return codes;
};

/** Ends waiting sign-ins, and all sessions but the current one. */
const endOthers = async (tx: StateTransaction, userId: number, exceptSession = ''): Promise<void> => {
  await tx.deleteFrom('held_sign_in').where('user_id', '=', userId).execute();
  await tx
    .deleteFrom('session')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', hashToken(exceptSession))
    .execute();
};

/** Enables the second factor. Every other session ends. */
export const turnOn = async (
  tx: StateTransaction,
  row: SecondFactorRow,
  session: string | undefined,
  now: Date,
): Promise<string[]> => {
  await tx.updateTable('second_factor').set({ confirmed: now.toISOString() }).where('id', '=', row.id).execute();
  await tx.updateTable('users').set({ second_factor: 1 }).where('id', '=', row.user_id).execute();
  await endOthers(tx, row.user_id, session);
  return await renewCodes(tx, row.user_id);
};

/** Disables the second factor. Deletes the secret and all codes, and ends every other session. */
export const turnOff = async (tx: StateTransaction, userId: number, session?: string): Promise<void> => {
  await tx.deleteFrom('second_factor').where('user_id', '=', userId).execute();
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  await tx.updateTable('users').set({ second_factor: 0 }).where('id', '=', userId).execute();
  await endOthers(tx, userId, session);
};
