import type { SecondFactorMode, SignInOptions } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import type { Handlers, SessionAccess } from '../../http/calls/call.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import { secondFactorOf } from '../../second-factor-rule.ts';
import { hashOfUnknownUser, verifyPassword } from '../../secrets/password.ts';
import { openSession } from './open-session.ts';
import { deleteSession } from './session.store.ts';
import type { SignInThrottle } from './sign-in.throttle.ts';

type Enter = (
  tx: StateTransaction,
  address: string,
  now: Date,
) => Promise<{ readonly id: number; readonly username: string; readonly asksCode?: boolean }>;

/** The token of a session, or of a sign-in that waits for a code. */
interface Given {
  readonly token: string;
  readonly expires: Date;
}

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly throttle: SignInThrottle;
  /** Text that users type before a command's name on the machine of the server. */
  readonly command: string;
  /** Whether users may sign in with a password. */
  readonly withPassword: boolean;
  readonly secondFactor: SecondFactorMode;
  /** Stores the sign-in of a user with a correct password until the code is entered. */
  readonly holdSignIn: (tx: StateTransaction, userId: number, now: Date) => Promise<Given>;
  /** Providers for signing in, in display order. */
  readonly providers: SignInOptions['oidc_providers'];
  /** Queries the directories for a user without a password on this server. Returns how to enter the user. */
  readonly queryDirectories: (login: string, password: string) => Promise<Enter | 'unknown' | 'partly_down' | 'down'>;
  /** Called when a session has ended, so that its open connections end too. */
  readonly rightsChanged: () => void;
}

const findByLogin = (database: Database, login: string) => {
  const key = login.toLowerCase();
  return (
    database.read
      .selectFrom('users')
      .select(['id', 'username', 'password_hash', 'external'])
      .where((eb) =>
        eb.or([
          eb('username_key', '=', key),
          eb.and([eb('email_key', '=', key), eb('email_key', '!=', ''), eb('email_proven', '=', 1)]),
        ]),
      )
      // A matching username takes precedence over a matching email address of another user.
      .orderBy((eb) => eb.case().when('username_key', '=', key).then(0).else(1).end())
      .limit(1)
      .executeTakeFirst()
  );
};

const wrongLogin = (session: SessionAccess): ApiError => {
  session.clear();
  return new ApiError('wrong_login');
};

const codeNeeded = (session: SessionAccess, held: Given): ApiError => {
  session.clear();
  session.hold(held.token, held.expires);
  return new ApiError('second_factor_needed');
};

const directoryDown = (): ApiError => new ApiError('unavailable.directory');

/**
 * Returns the user if the stored password is still the verified one. The update locks the row: a concurrent password
 * change waits, and then ends the new session too.
 */
const findStill = (tx: StateTransaction, userId: number, hash: string) =>
  tx
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', userId)
    .where('password_hash', '=', hash)
    .returning(['external', 'second_factor'])
    .executeTakeFirst();

const asOurs =
  (
    user: { readonly id: number; readonly username: string; readonly password_hash: string },
    session: SessionAccess,
    mode: SecondFactorMode,
  ): Enter =>
  async (tx) => {
    const still = await findStill(tx, user.id, user.password_hash);
    if (!still) throw wrongLogin(session);
    return { ...user, asksCode: secondFactorOf(mode, still) === 'on' };
  };

export const signInRoutes = (deps: Deps): Pick<Handlers, 'signInOptions' | 'signIn' | 'signOut'> => {
  const { database, clock, throttle, rightsChanged } = deps;
  const unknownUser = hashOfUnknownUser();
  return {
    signInOptions: () =>
      Promise.resolve({
        oidc_providers: [...deps.providers],
        login_with_password: deps.withPassword,
        command: deps.command,
      }),

    signIn: async ({ body: { auth, password }, actor, session }) => {
      if (!deps.withPassword) {
        throw new ApiError('not_permitted.password_sign_in');
      }
      const user = await findByLogin(database, auth);
      // Users without a password also cost one verification, so that the response time does not reveal which users
      // exist.
      const hash = user?.password_hash || (await unknownUser);
      // A client cannot type the key of an existing account.
      const account = user ? `#${user.id}` : `login ${auth.toLowerCase()}`;
      let enter: Enter | undefined;
      let isPartlyDown = false;
      const right = await throttle.attempt(account, actor.address, async () => {
        const fits = await verifyPassword(password, hash);
        if (user && user.external === 0) {
          enter = asOurs(user, session, deps.secondFactor);
          return fits;
        }
        const answer = await deps.queryDirectories(auth, password);
        // No directory has refused the password. Counting this as a failure would lock out every user behind the
        // address.
        if (answer === 'down') throw directoryDown();
        isPartlyDown = answer === 'partly_down';
        if (typeof answer === 'function') enter = answer;
        return typeof answer === 'function';
      });
      if (right === undefined) throw new ApiError('too_many.sign_ins');
      if (isPartlyDown) throw directoryDown();
      const entered = enter;
      if (!right || !entered) throw wrongLogin(session);
      let isHeld = false;
      const { token, expires } = await database.write(
        async (tx) => {
          const now = clock.now();
          const who = await entered(tx, actor.address, now);
          isHeld = who.asksCode ?? false;
          return await (isHeld ? deps.holdSignIn(tx, who.id, now) : openSession(tx, who, actor.address, now));
        },
        user?.external === 0 ? undefined : LOCK.users,
      );
      if (isHeld) throw codeNeeded(session, { token, expires });
      session.start(token, expires);
    },

    signOut: async ({ session }) => {
      if (session.token !== undefined) await deleteSession(database.autocommit, session.token);
      session.clear();
      rightsChanged();
    },
  };
};
