import { recordUserEvent } from '../../audit/installation-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { insertSession, type Session } from './session.store.ts';

/** Creates a session for an authenticated user and records the event. */
export const openSession = async (
  tx: StateTransaction,
  user: { readonly id: number; readonly username: string },
  address: string,
  now: Date,
): Promise<Session> => {
  await recordUserEvent(tx, user, 'user.signed_in', { userId: user.id, address }, now);
  return await insertSession(tx, user.id, address, now);
};
