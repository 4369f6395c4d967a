import type { SecondFactorMode, SignInOptions } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Handlers, SessionAccess } from '../../http/call.ts';
import { secondFactorOf } from '../../second-factor-rule.ts';
import { hashOfNobody, verifyPassword } from '../../secrets/password.ts';
import { openSession } from './open-session.ts';
import { deleteSession } from './session.store.ts';
import type { SignInThrottle } from './sign-in.throttle.ts';

type Enter = (
  tx: StateTransaction,
  address: string,
  now: Date,
) => Promise<{ readonly id: number; readonly username: string; readonly asksCode?: boolean }>;

/** A token for this browser, of a session or of a sign-in that waits for its code. */
interface Given {
  readonly token: string;
  readonly expires: Date;
}

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  readonly throttle: SignInThrottle;
  /** What a user types before a command on the machine of the server. */
  readonly command: string;
  /** Whether people may sign in with a password. */
  readonly withPassword: boolean;
  readonly secondFactor: SecondFactorMode;
  /** Holds the sign-in of a user whose password was right until their code comes. */
  readonly holdSignIn: (tx: StateTransaction, userId: number, now: Date) => Promise<Given>;
  /** The providers that people may sign in with, in their order. */
  readonly providers: SignInOptions['oidc_providers'];
  /** Asks the directories about somebody whose password is not kept here; how they enter, where one knows them. */
  readonly askDirectories: (login: string, password: string) => Promise<Enter | 'nobody' | 'partly_down' | 'down'>;
  /** Called when a session has ended: what listens with it must end too. */
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
      // A username wins over somebody else's e-mail address of the same text.
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
 * The user, if the password that was verified is still the one that is stored. The update holds the row, so that a
 * change at this moment waits, and then ends the new session with all others.
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

export const signInRoutes = (needs: Needs): Pick<Handlers, 'signInOptions' | 'signIn' | 'signOut'> => {
  const { database, clock, throttle, rightsChanged } = needs;
  const nobody = hashOfNobody();
  return {
    signInOptions: () =>
      Promise.resolve({
        oidc_providers: [...needs.providers],
        login_with_password: needs.withPassword,
        command: needs.command,
      }),

    signIn: async ({ body: { auth, password }, actor, session }) => {
      if (!needs.withPassword) {
        throw new ApiError('not_permitted.password_sign_in');
      }
      const user = await findByLogin(database, auth);
      // Whoever has no password here costs one verification too, so that time does not tell who exists.
      const hash = user?.password_hash || (await nobody);
      // Nobody can type the key of an account that exists.
      const account = user ? `#${user.id}` : `login ${auth.toLowerCase()}`;
      let enter: Enter | undefined;
      let isPartlyDown = false;
      const right = await throttle.attempt(account, actor.address, async () => {
        const fits = await verifyPassword(password, hash);
        if (user && user.external === 0) {
          enter = asOurs(user, session, needs.secondFactor);
          return fits;
        }
        const answer = await needs.askDirectories(auth, password);
        // Nobody has said no: to count that as a wrong password would lock out those who share the address.
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
          return await (isHeld ? needs.holdSignIn(tx, who.id, now) : openSession(tx, who, actor.address, now));
        },
        user?.external === 0 ? undefined : LOCK.people,
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
