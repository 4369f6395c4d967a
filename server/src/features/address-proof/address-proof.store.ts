import type { State, StateTransaction } from '../../database/database.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

/** How long a mailed link works, in milliseconds. */
const LINK_MS = 24 * 60 * 60_000;
/** Maximum number of mails for one user within an hour, so that no one can flood the mailbox of another person. */
const MAX_MAILS = 5;
const MAILS_WITHIN_MS = 60 * 60_000;

const before = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString();

/** A user, and the e-mail address that the user confirms. */
export interface UserAddress {
  readonly userId: number;
  readonly email: string;
}

/**
 * Creates the token of a link. Only its hash is stored.
 * @returns undefined when the user has requested too many mails
 */
export const createProof = async (
  tx: StateTransaction,
  { userId, email }: UserAddress,
  now: Date,
): Promise<string | undefined> => {
  await tx.deleteFrom('address_proof').where('created', '<', before(now, LINK_MS)).execute();
  const { mails } = await tx
    .selectFrom('address_proof')
    .select((eb) => eb.fn.countAll<number | string>().as('mails'))
    .where('user_id', '=', userId)
    .where('created', '>', before(now, MAILS_WITHIN_MS))
    .executeTakeFirstOrThrow();
  if (Number(mails) >= MAX_MAILS) return undefined;
  const token = newToken();
  await tx
    .insertInto('address_proof')
    .values({ user_id: userId, email, token_hash: hashToken(token), created: now.toISOString() })
    .execute();
  return token;
};

/** Whether a token was mailed to this user at this address within 24 hours, and its link still works. */
export const isProof = async (db: State, token: string, { userId, email }: UserAddress, now: Date): Promise<boolean> =>
  (await db
    .selectFrom('address_proof')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .where('user_id', '=', userId)
    .where('email', '=', email)
    .where('created', '>', before(now, LINK_MS))
    .executeTakeFirst()) !== undefined;

/** Disables all links of a user. Keeps the rows, because `createProof` counts them. */
export const endProofs = async (tx: StateTransaction, userId: number): Promise<void> => {
  await tx.updateTable('address_proof').set({ token_hash: null }).where('user_id', '=', userId).execute();
};
