import type { StateReader, StateTransaction } from '../../database/database.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

/** Who has not given their code after so long begins anew. */
const HELD_MS = 5 * 60_000;

export interface HeldSignIn {
  /** What the browser keeps; it is stored hashed. */
  readonly token: string;
  readonly expires: Date;
}

/** Holds a sign-in whose password was right until the code is given. */
export const holdSignIn = async (tx: StateTransaction, userId: number, now: Date): Promise<HeldSignIn> => {
  const held = { token: newToken(), expires: new Date(now.getTime() + HELD_MS) };
  // Those that nobody went on with are of no use to anybody.
  await tx.deleteFrom('held_sign_in').where('expires', '<', now.toISOString()).execute();
  await tx
    .insertInto('held_sign_in')
    .values({ user_id: userId, token_hash: hashToken(held.token), expires: held.expires.toISOString() })
    .execute();
  return held;
};

/** Whose sign-in waits under this token; undefined once it has expired, was ended, or never was. */
export const findHeld = async (db: StateReader, token: string, now: Date): Promise<number | undefined> => {
  const row = await db
    .selectFrom('held_sign_in')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires', '>', now.toISOString())
    .executeTakeFirst();
  return row?.user_id;
};

/** Ends a sign-in that waited: it leads to one session at most. */
export const releaseHeld = async (tx: StateTransaction, token: string): Promise<void> => {
  await tx.deleteFrom('held_sign_in').where('token_hash', '=', hashToken(token)).execute();
};
