import { type SecondFactorMode, scopesPermit, type TokenScope } from '@signalbox/contract';
import { hiddenOfUsers } from '../access/access-of-members.ts';
import { selectMemberships } from '../access/memberships.ts';
import type { StateReader } from '../database/database.ts';
import { secondFactorOf } from '../second-factor-rule.ts';
import { hashToken } from '../secrets/token.ts';
import type { Subscriber } from './live-socket.ts';

interface Listener {
  readonly token_hash: string;
  readonly id: number;
  readonly admin: 0 | 1;
  /** The projects to which an API token is restricted, as JSON. */
  readonly projects?: string | null;
}

/**
 * Finds the users of tokens. Ended sessions, revoked and expired API tokens, and those that may not read, have none.
 */
const findListeners = async (
  db: StateReader,
  hashes: readonly string[],
  now: Date,
  mode: SecondFactorMode,
): Promise<Listener[]> => {
  const rows = await db
    .selectFrom('session')
    .innerJoin('users', 'users.id', 'session.user_id')
    .select(['session.token_hash', 'users.id', 'users.admin', 'users.external', 'users.second_factor'])
    .where('session.token_hash', 'in', hashes)
    .where('session.expires', '>', now.toISOString())
    .execute();
  const sessions = rows.filter((row) => secondFactorOf(mode, row) !== 'due');
  if (sessions.length === hashes.length) return sessions;
  const tokens = await db
    .selectFrom('api_token')
    .innerJoin('users', 'users.id', 'api_token.user_id')
    .select(['api_token.token_hash', 'api_token.scopes', 'api_token.projects', 'users.id', 'users.admin'])
    .where('api_token.token_hash', 'in', hashes)
    .where((eb) => eb.or([eb('api_token.expires_at', 'is', null), eb('api_token.expires_at', '>', now.toISOString())]))
    .execute();
  return [...sessions, ...tokens.filter(({ scopes }) => scopesPermit(scopes.split(',') as TokenScope[], 'read'))];
};

/**
 * Returns, for each valid token, the projects whose changes its user may receive. The number of queries does not
 * depend on the number of tokens.
 */
export const readSubscribers = async (
  db: StateReader,
  tokens: readonly string[],
  now: Date,
  mode: SecondFactorMode,
): Promise<Map<string, Subscriber>> => {
  if (tokens.length === 0) return new Map();
  const byHash = new Map(tokens.map((token) => [hashToken(token), token]));
  const listeners = await findListeners(db, [...byHash.keys()], now, mode);
  const userIds = [...new Set(listeners.map((listener) => listener.id))];
  const memberships =
    userIds.length === 0 ? [] : await selectMemberships(db).where('project_user.user_id', 'in', userIds).execute();
  const hidden = await hiddenOfUsers(db, memberships);
  const all = listeners.some((listener) => listener.admin === 1)
    ? await db.selectFrom('project').select('id').execute()
    : [];
  return new Map(
    listeners.map((listener) => {
      const own = memberships.filter((row) => row.user_id === listener.id).map((row) => row.project_id);
      const ofUser = new Set(listener.admin === 1 ? all.map((row) => row.id) : own);
      const token = listener.projects ? new Set(JSON.parse(listener.projects) as number[]) : undefined;
      const projects = token ? ofUser.intersection(token) : ofUser;
      const isAdmin = listener.admin === 1 && token === undefined;
      const hiddenFrom = listener.admin === 1 ? undefined : hidden.get(listener.id);
      const subscriber = { userId: listener.id, projects, isAdmin, hidden: hiddenFrom ?? new Set<number>() };
      return [byHash.get(listener.token_hash) ?? '', subscriber];
    }),
  );
};
