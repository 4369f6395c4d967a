import type { State } from '../database/database.ts';
import { hashToken } from '../secrets/token.ts';
import type { Hearing } from './live-hub.ts';

/** For each session that has not ended: the projects whose changes its user may hear. Two queries, however many listen. */
export const readHearings = async (db: State, tokens: readonly string[], now: Date): Promise<Map<string, Hearing>> => {
  if (tokens.length === 0) return new Map();
  const byHash = new Map(tokens.map((token) => [hashToken(token), token]));
  const sessions = await db
    .selectFrom('session')
    .innerJoin('users', 'users.id', 'session.user_id')
    .select(['session.token_hash', 'users.id', 'users.admin'])
    .where('session.token_hash', 'in', [...byHash.keys()])
    .where('session.expires', '>', now.toISOString())
    .execute();
  const userIds = [...new Set(sessions.map((session) => session.id))];
  const memberships =
    userIds.length === 0
      ? []
      : await db.selectFrom('project_user').select(['user_id', 'project_id']).where('user_id', 'in', userIds).execute();
  const all = sessions.some((session) => session.admin === 1)
    ? await db.selectFrom('project').select('id').execute()
    : [];
  return new Map(
    sessions.map((session) => {
      const own = memberships.filter((row) => row.user_id === session.id).map((row) => row.project_id);
      const projects = new Set(session.admin === 1 ? all.map((row) => row.id) : own);
      return [byHash.get(session.token_hash) ?? '', { projects }];
    }),
  );
};
