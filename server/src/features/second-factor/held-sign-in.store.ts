import type { StateReader, StateTransaction } from '../../database/database.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

/** Lifetime of a sign-in that waits for a code, in milliseconds. */
const HELD_MS = 5 * 60_000;

export interface HeldSignIn {
  /** Token in the cookie of the browser. Stored as a hash. */
  readonly token: string;
  readonly expires: Date;
}

/** Stores a sign-in with a correct password until the code is entered. */
export const holdSignIn = async (tx: StateTransaction, userId: number, now: Date): Promise<HeldSignIn> => {
  const held = { token: newToken(), expires: new Date(now.getTime() + HELD_MS) };
  // Deletes expired sign-ins.
  await tx.deleteFrom('held_sign_in').where('expires', '<', now.toISOString()).execute();
  await tx
    .insertInto('held_sign_in')
    .values({ user_id: userId, token_hash: hashToken(held.token), expires: held.expires.toISOString() })
    .execute();
  return held;
};

/** Returns the user of a waiting sign-in; undefined if it has expired, has ended or never existed. */
export const findHeld = async (db: StateReader, token: string, now: Date): Promise<number | undefined> => {
  const row = await db
    .selectFrom('held_sign_in')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires', '>', now.toISOString())
    .executeTakeFirst();
  return row?.user_id;
};

/** Ends a waiting sign-in. It leads to at most one session. */
export const releaseHeld = async (tx: StateTransaction, token: string): Promise<void> => {
  await tx.deleteFrom('held_sign_in').where('token_hash', '=', hashToken(token)).execute();
};
