import type { AlertTest, Language } from '@signalbox/contract';
import { recordUserEvent } from '../../audit/installation-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateReader, type StateTransaction } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { tokenRefused } from '../../owner-proof.ts';
import { countRefusal, createProof, endProofs, isProof, refuseManyAttempts } from './address-proof.store.ts';

/** Values in the text of the mail. */
interface ProofMail {
  readonly to: string;
  readonly username: string;
  readonly url: string;
}

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Whether mail is configured. */
  readonly hasMail: boolean;
  readonly sendMail: (userId: number, mail: ProofMail, language: Language) => Promise<AlertTest>;
  /** URL of the page where the user confirms the address. */
  readonly pageOf: (token: string) => string;
  /** The error where another user has this email address, as a username or as a proven address. */
  readonly findTaken: (
    tx: StateTransaction,
    user: { readonly email: string },
    exceptId: number,
  ) => Promise<ApiError | undefined>;
  readonly usersChanged: () => void;
}

const NOT_CONFIGURED = { sent: false, fault: 'not_configured', detail: '' } as const;

export const addressProofRoutes = ({
  database,
  clock,
  hasMail,
  sendMail,
  pageOf,
  findTaken,
  usersChanged,
}: Deps): Pick<Handlers, 'requestAddressProof' | 'confirmAddress'> => {
  const find = async (db: StateReader, id: number) => {
    const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    if (!user) throw notFound();
    return user;
  };

  return {
    requestAddressProof: async ({ caller, actor, session }) => {
      if (session.apiToken !== undefined) throw tokenRefused();
      const proof = await database.write(async (tx) => {
        const user = await find(tx, caller.id);
        if (user.email === '') throw new ApiError('conflict.email_missing');
        if (user.email_proven === 1) throw new ApiError('conflict.email_confirmed');
        const now = clock.now();
        const claim = { userId: user.id, email: user.email };
        await refuseManyAttempts(tx, user.id, now);
        const refusal = await findTaken(tx, { email: user.email }, user.id);
        if (refusal) {
          // Returned, because the count of this refusal must be committed.
          await countRefusal(tx, claim, now);
          return { refusal };
        }
        if (!hasMail) return undefined;
        const token = await createProof(tx, claim, now);
        await recordUserEvent(tx, user, 'user.email_proof_requested', actor, now);
        return { user, token };
      }, LOCK.users);
      if (!proof) return NOT_CONFIGURED;
      if ('refusal' in proof) throw proof.refusal;
      const { user, token } = proof;
      const mail = { to: user.email, username: user.username, url: pageOf(token) };
      return await sendMail(user.id, mail, user.language ?? 'en');
    },

    confirmAddress: async ({ body, caller, actor, session }) => {
      if (session.apiToken !== undefined) throw tokenRefused();
      await database.write(async (tx) => {
        const user = await find(tx, caller.id);
        const now = clock.now();
        // Only the user who requested the mail can use its link. Otherwise the owner of the address, by opening a link
        // that an attacker requested, would confirm the address for the account of the attacker.
        if (!(await isProof(tx, body.token, { userId: user.id, email: user.email }, now)))
          throw new ApiError('conflict.email_link');
        const refusal = await findTaken(tx, { email: user.email }, user.id);
        if (refusal) throw refusal;
        await tx.updateTable('users').set({ email_proven: 1 }).where('id', '=', user.id).execute();
        await endProofs(tx, user.id);
        await recordUserEvent(tx, user, 'user.email_confirmed', actor, now);
      }, LOCK.users);
      usersChanged();
    },
  };
};
