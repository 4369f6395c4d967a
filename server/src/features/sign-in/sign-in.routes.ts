import { recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { hashOfNobody, verifyPassword } from '../../secrets/password.ts';
import { deleteSession, insertSession } from './session.store.ts';
import { SignInThrottle } from './sign-in.throttle.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
}

const findByLogin = (database: Database, login: string) => {
  const key = login.toLowerCase();
  return (
    database.read
      .selectFrom('users')
      .select(['id', 'username', 'password_hash', 'external'])
      .where((eb) =>
        eb.or([eb('username_key', '=', key), eb.and([eb('email_key', '=', key), eb('email_key', '!=', '')])]),
      )
      // A username wins over somebody else's e-mail address of the same text.
      .orderBy((eb) => eb.case().when('username_key', '=', key).then(0).else(1).end())
      .limit(1)
      .executeTakeFirst()
  );
};

export const signInRoutes = ({ database, clock }: Needs): Pick<Handlers, 'signInOptions' | 'signIn' | 'signOut'> => {
  const throttle = new SignInThrottle(clock);
  return {
    signInOptions: () => Promise.resolve({ oidc_providers: [], login_with_password: true }),

    signIn: async ({ body: { auth, password }, actor, session }) => {
      if (throttle.isBlocked(auth, actor.address)) {
        throw new ApiError('too_many', 'Too many failed sign-ins; try again in 15 minutes.');
      }
      const user = await findByLogin(database, auth);
      // Unknown users cost one verification too, so that time does not tell who exists.
      const right = await verifyPassword(password, user?.password_hash ?? (await hashOfNobody()));
      if (!user || !right || user.external === 1) {
        throttle.failed(auth, actor.address);
        throw new ApiError('wrong_login', 'Incorrect login or password');
      }
      throttle.succeeded(auth, actor.address);
      const { token, expires } = await database.write(async (tx) => {
        const now = clock.now();
        await recordEvent(tx, {
          actor: { userId: user.id, address: actor.address },
          projectId: null,
          objectType: 'user',
          objectId: user.id,
          objectName: user.username,
          description: `User ${user.username} signed in`,
          at: now,
        });
        return await insertSession(tx, user.id, actor.address, now);
      });
      session.start(token, expires);
    },

    signOut: async ({ session }) => {
      if (session.token !== undefined) await deleteSession(database.read, session.token);
      session.clear();
    },
  };
};
