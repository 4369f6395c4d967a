import { generateSecret, generateSync } from 'otplib/functional';
import { beginFactor, findSecondFactor, turnOn } from '../features/second-factor/second-factor.store.ts';
import type { TestServer } from './test-server.ts';

/** Returns the code of an authenticator app at a time. */
export const codeAt = (secret: string, at: Date): string =>
  generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) });

/** Sets the second factor of a user of a running server, replacing an earlier one. */
export const giveFactor = async (
  { storage: { database, master } }: TestServer,
  username: string,
  stage: 'on' | 'begun' = 'on',
) => {
  const secret = generateSecret();
  const codes = await database.write(async (tx) => {
    const user = await tx
      .updateTable('users')
      .set({ second_factor: 0 })
      .where('username', '=', username)
      .returning('id')
      .executeTakeFirstOrThrow();
    const now = new Date();
    await beginFactor(tx, master, user.id, secret, now);
    if (stage === 'begun') return [];
    const sessions = await tx.selectFrom('session').selectAll().where('user_id', '=', user.id).execute();
    const row = await findSecondFactor(tx, user.id);
    if (!row) throw new Error('The second factor that was begun is not there.');
    const made = await turnOn(tx, row, undefined, now);
    // Enabling the factor ended the sessions. They are restored, because no session enabled it here.
    if (sessions.length > 0) await tx.insertInto('session').values(sessions).execute();
    return made;
  });
  return { secret, recoveryCodes: codes, code: (at = new Date()) => codeAt(secret, at) };
};
