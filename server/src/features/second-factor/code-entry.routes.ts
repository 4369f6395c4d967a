import { recordInstallationEvent } from '../../audit/installation-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import type { Handlers, SessionAccess } from '../../http/calls/call.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { type Attempt, guardCode } from './code-guard.ts';
import { findHeld, releaseHeld } from './held-sign-in.store.ts';
import { countRecoveryCodes, lockUser, useCode } from './second-factor.store.ts';

interface Opened {
  readonly token: string;
  readonly expires: Date;
}

export interface CodeEntryDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
  readonly attempt: Attempt;
  readonly openSession: (
    tx: StateTransaction,
    user: { readonly id: number; readonly username: string },
    address: string,
    now: Date,
  ) => Promise<Opened>;
}

const over = (session: SessionAccess): ApiError => {
  session.clear();
  return new ApiError('not_signed_in.expired');
};

/** Routes for the second step of signing in: the code, after a correct password. */
export const codeEntryRoutes = ({
  database,
  clock,
  master,
  attempt,
  openSession,
}: CodeEntryDeps): Pick<Handlers, 'enterSecondFactor'> => ({
  enterSecondFactor: async ({ body, actor: { address }, session }) => {
    const { held } = session;
    const userId = held === undefined ? undefined : await findHeld(database.read, held, clock.now());
    if (held === undefined || userId === undefined) throw over(session);

    const enter = (): Promise<Opened | undefined> =>
      database.write(async (tx) => {
        const now = clock.now();
        const user = await lockUser(tx, userId);
        // Another call with the same sign-in, or a password change, may have ended the sign-in.
        if (!user || (await findHeld(tx, held, now)) === undefined) throw over(session);
        const used = await useCode(tx, master, userId, body.code, now);
        if (used === undefined) return undefined;
        await releaseHeld(tx, held);
        if (used === 'recovery') {
          const params = { user: user.username, left: await countRecoveryCodes(tx, userId) };
          const event = { kind: 'user.recovery_code_used', params } as const;
          await recordInstallationEvent(
            tx,
            'user',
            { id: userId, name: user.username },
            event,
            { userId, address },
            now,
          );
        }
        return await openSession(tx, user, address, now);
      });

    let opened: Opened | undefined;
    await guardCode(attempt, userId, address, async () => {
      opened = await enter();
      return opened !== undefined;
    });
    if (!opened) throw new ApiError('wrong_code');
    session.start(opened.token, opened.expires);
  },
});
