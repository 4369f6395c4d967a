import { recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { hashOfNobody, verifyPassword } from '../../secrets/password.ts';
import { deleteSession, insertSession } from './session.store.ts';
import { SignInThrottle } from './sign-in.throttle.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
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
        eb.or([eb('username_key', '=', key), eb.and([eb('email_key', '=', key), eb('email_key', '!=', '')])]),
      )
      // A username wins over somebody else's e-mail address of the same text.
      .orderBy((eb) => eb.case().when('username_key', '=', key).then(0).else(1).end())
      .limit(1)
      .executeTakeFirst()
  );
};

const wrongLogin = (): ApiError => new ApiError('wrong_login', 'Incorrect login or password');

/**
 * Whether the password that was verified is still the one that is stored. The update holds the row, so that a change at
 * this moment waits, and then ends the new session with all others.
 */
const isStillPassword = async (tx: StateTransaction, userId: number, hash: string): Promise<boolean> => {
  const row = await tx
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', userId)
    .where('password_hash', '=', hash)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

export const signInRoutes = ({
  database,
  clock,
  rightsChanged,
}: Needs): Pick<Handlers, 'signInOptions' | 'signIn' | 'signOut'> => {
  const throttle = new SignInThrottle(clock);
  return {
    signInOptions: () => Promise.resolve({ oidc_providers: [], login_with_password: true }),

    signIn: async ({ body: { auth, password }, actor, session }) => {
      if (!throttle.begin(auth, actor.address)) {
        throw new ApiError('too_many', 'Too many failed sign-ins; try again in 15 minutes.');
      }
      const user = await findByLogin(database, auth).catch((error: unknown) => {
        // A database that is away has said nothing about the password.
        throttle.undo(auth, actor.address);
        throw error;
      });
      // Unknown users cost one verification too, so that time does not tell who exists.
      const right = await verifyPassword(password, user?.password_hash ?? (await hashOfNobody()));
      if (!user || !right || user.external === 1) throw wrongLogin();
      throttle.succeeded(auth, actor.address);
      const { token, expires } = await database.write(async (tx) => {
        const now = clock.now();
        if (!(await isStillPassword(tx, user.id, user.password_hash))) throw wrongLogin();
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
      rightsChanged();
    },
  };
};
