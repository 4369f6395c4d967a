import type { SecondFactorMode } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import type { Database, State } from '../../database/database.ts';
import { compiledQuery } from '../../database/queries/compiled-query.ts';
import type { Caller } from '../../http/calls/call.ts';
import { secondFactorOf } from '../../second-factor-rule.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

/** Lifetime of a session after its last use, in milliseconds. */
const SESSION_MS = 7 * DAY_MS;
/** Minimum time between two extensions, in milliseconds, so that not every read causes a write. */
const TOUCH_MS = 3600 * 1000;

export interface Session {
  readonly token: string;
  readonly expires: Date;
}

export const insertSession = async (
  db: Pick<State, 'insertInto' | 'deleteFrom'>,
  userId: number,
  address: string,
  now: Date,
): Promise<Session> => {
  const token = newToken();
  const expires = new Date(now.getTime() + SESSION_MS);
  // Deletes expired sessions.
  await db.deleteFrom('session').where('user_id', '=', userId).where('expires', '<', now.toISOString()).execute();
  await db
    .insertInto('session')
    .values({
      user_id: userId,
      token_hash: hashToken(token),
      created: now.toISOString(),
      expires: expires.toISOString(),
      address,
    })
    .execute();
  return { token, expires };
};

export const deleteSession = async (db: Pick<State, 'deleteFrom'>, token: string): Promise<number | undefined> => {
  const row = await db
    .deleteFrom('session')
    .where('token_hash', '=', hashToken(token))
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
};

const sessionOf = compiledQuery((db, of: { readonly tokenHash: string }) =>
  db
    .selectFrom('session')
    .innerJoin('users', 'users.id', 'session.user_id')
    .select([
      'session.id as session_id',
      'session.expires',
      'users.id',
      'users.username',
      'users.admin',
      'users.can_create_project',
      'users.external',
      'users.second_factor',
    ])
    .where('session.token_hash', '=', of.tokenHash),
);

/** Returns the user of a valid session, and its new expiry if the session was extended. */
export const findCaller = async (
  database: Database,
  token: string,
  now: Date,
  mode: SecondFactorMode,
): Promise<{ readonly caller: Caller; readonly renewedUntil: Date | undefined } | undefined> => {
  const [row] = await sessionOf(database.read, { tokenHash: hashToken(token) });
  if (!row || row.expires <= now.toISOString()) return undefined;
  const expires = new Date(now.getTime() + SESSION_MS);
  const renews = expires.getTime() - Date.parse(row.expires) > TOUCH_MS;
  if (renews) {
    await database.autocommit
      .updateTable('session')
      .set({ expires: expires.toISOString() })
      .where('id', '=', row.session_id)
      .execute();
  }
  const caller = {
    id: row.id,
    username: row.username,
    admin: row.admin === 1,
    canCreateProject: row.admin === 1 || row.can_create_project === 1,
    secondFactorDue: secondFactorOf(mode, row) === 'due',
  };
  return { caller, renewedUntil: renews ? expires : undefined };
};
