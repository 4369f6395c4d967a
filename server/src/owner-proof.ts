import type { Actor } from './audit/record-event.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import type { Caller, SessionAccess } from './http/calls/call.ts';
import { ApiError, badField } from './http/errors/api-error.ts';
import { verifyPassword } from './secrets/password.ts';
import { hashToken } from './secrets/token.ts';

/** How long a sign-in counts as recent, in milliseconds. */
const RECENT_MS = 15 * 60_000;

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Whether users may sign in with a password of this server. */
  readonly withPassword: boolean;
  /** Verifies a password unless too many attempts have failed; undefined when it was not verified. */
  readonly attempt: (account: string, address: string, verify: () => Promise<boolean>) => Promise<boolean | undefined>;
}

/** The parts of a call that identify the caller. */
export interface OwnerCall {
  readonly caller: Caller;
  readonly actor: Actor;
  readonly session: SessionAccess;
}

/**
 * Checks that the owner of the account makes the call, not a program with an API token or a person at an unattended page.
 * The proof is the current password. A recent sign-in is enough for users without a password on this server, and where
 * `orRecentSignIn` allows it.
 * @throws not_permitted for API tokens and for sign-ins that are not recent, bad_input for a missing or wrong
 *   `current_password`, too_many after too many wrong ones
 */
export type ProveOwner = (
  call: OwnerCall,
  currentPassword: string | null | undefined,
  options?: { readonly orRecentSignIn: boolean },
) => Promise<void>;

/** The error for calls that refuse API tokens. */
export const tokenRefused = (): ApiError => new ApiError('not_permitted.api_token');

/** @throws too_many */
const guarded = async (
  attempt: Deps['attempt'],
  userId: number,
  address: string,
  verify: () => Promise<boolean>,
): Promise<boolean> => {
  const right = await attempt(`#${userId}`, address, verify);
  if (right === undefined) throw new ApiError('too_many.passwords');
  return right;
};

/** Creates the check of the owner for the calls of this server. */
export const ownerProof = ({ database, clock, withPassword, attempt }: Deps): ProveOwner => {
  const isRecent = async (caller: Caller, token: string | undefined): Promise<boolean> => {
    if (token === undefined) return false;
    const row = await database.read
      .selectFrom('session')
      .select('created')
      .where('token_hash', '=', hashToken(token))
      .where('user_id', '=', caller.id)
      .executeTakeFirst();
    const age = clock.now().getTime() - Date.parse(row?.created ?? '');
    return age >= 0 && age < RECENT_MS;
  };

  return async ({ caller, actor, session }, currentPassword, { orRecentSignIn } = { orRecentSignIn: false }) => {
    if (session.apiToken !== undefined) throw tokenRefused();
    const user = await database.read
      .selectFrom('users')
      .select(['password_hash', 'external'])
      .where('id', '=', caller.id)
      .executeTakeFirst();
    if (!user || user.external === 1 || !withPassword) {
      if (await isRecent(caller, session.token)) return;
      throw new ApiError('not_permitted.old_sign_in');
    }
    if (currentPassword) {
      const verify = () => verifyPassword(currentPassword, user.password_hash);
      if (await guarded(attempt, caller.id, actor.address, verify)) return;
      throw badField('current_password', 'password.wrong');
    }
    if (!orRecentSignIn || !(await isRecent(caller, session.token)))
      throw badField('current_password', 'field.required');
  };
};
