import { DAY_MS } from '@signalbox/contract/limits';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

/** How long a mailed link works, in milliseconds. */
const LINK_MS = DAY_MS;
/**
 * Maximum number of mails and refusals of one user per hour. Mails must not flood the mailbox of another person, and
 * refusals reveal that another user has confirmed an address.
 */
const MAX_ATTEMPTS = 5;
const ATTEMPTS_WITHIN_MS = 60 * 60_000;

const before = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString();

/** A user, and the email address that the user confirms. */
export interface UserAddress {
  readonly userId: number;
  readonly email: string;
}

/** @throws too_many when the user has had as many mails and refusals as the last hour allows */
export const refuseManyAttempts = async (tx: StateTransaction, userId: number, now: Date): Promise<void> => {
  const { attempts } = await tx
    .selectFrom('address_proof')
    .select((eb) => eb.fn.countAll<number | string>().as('attempts'))
    .where('user_id', '=', userId)
    .where('created', '>', before(now, ATTEMPTS_WITHIN_MS))
    .executeTakeFirstOrThrow();
  if (Number(attempts) >= MAX_ATTEMPTS) throw new ApiError('too_many.emails');
};

/** Counts a refusal that reveals that another user has confirmed an address. */
export const countRefusal = async (tx: StateTransaction, { userId, email }: UserAddress, now: Date): Promise<void> => {
  await tx
    .insertInto('address_proof')
    .values({ user_id: userId, email, token_hash: null, created: now.toISOString() })
    .execute();
};

/** Creates the token of a link. Only its hash is stored. */
export const createProof = async (tx: StateTransaction, { userId, email }: UserAddress, now: Date): Promise<string> => {
  await tx.deleteFrom('address_proof').where('created', '<', before(now, LINK_MS)).execute();
  const token = newToken();
  await tx
    .insertInto('address_proof')
    .values({ user_id: userId, email, token_hash: hashToken(token), created: now.toISOString() })
    .execute();
  return token;
};

/** Whether a token was mailed to this user at this address within 24 hours, and its link still works. */
export const isProof = async (
  db: StateReader,
  token: string,
  { userId, email }: UserAddress,
  now: Date,
): Promise<boolean> =>
  (await db
    .selectFrom('address_proof')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .where('created', '>', before(now, LINK_MS))
    .executeTakeFirst()) !== undefined;

/** Disables all links of a user. Keeps the rows, because `refuseManyAttempts` counts them. */
export const endProofs = async (tx: StateTransaction, userId: number): Promise<void> => {
  await tx.updateTable('address_proof').set({ token_hash: null }).where('user_id', '=', userId).execute();
};
