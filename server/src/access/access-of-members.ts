import type { StateReader } from '../database/database.ts';
import { type AccessMember, type AccessRules, decide, hiddenTemplates } from './access.ts';
import { type MembershipRow, memberOf, selectMemberships } from './memberships.ts';
import { readGroups, readRules } from './read-access.ts';

const withRules = async <T>(
  db: StateReader,
  memberships: readonly MembershipRow[],
  each: (row: MembershipRow, rules: AccessRules, member: AccessMember) => T,
): Promise<T[]> => {
  const rules = await readRules(db, [...new Set(memberships.map(({ project_id }) => project_id))]);
  if (rules.size === 0) return [];
  const groups = await readGroups(db, [...new Set(memberships.map(({ user_id }) => user_id))]);
  return memberships.flatMap((row) => {
    const own = rules.get(row.project_id);
    if (!own) return [];
    return [each(row, own, memberOf(row, groups.get(row.user_id)))];
  });
};

/** The templates that users must not see, by the id of the user. Users who see all templates are missing. */
export const hiddenOfUsers = async (
  db: StateReader,
  memberships: readonly MembershipRow[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> => {
  const found = await withRules(db, memberships, ({ user_id }, rules, member) => ({
    user_id,
    hidden: hiddenTemplates(rules, member),
  }));
  return new Map(
    [...Map.groupBy(found, ({ user_id }) => user_id)].map(([userId, all]) => [
      userId,
      new Set(all.flatMap(({ hidden }) => [...hidden])),
    ]),
  );
};

/** The members of a project who must not see a template. */
export const usersWithoutAccess = async (
  db: StateReader,
  projectId: number,
  templateId: number,
): Promise<ReadonlySet<number>> => {
  const members = await selectMemberships(db).where('project_user.project_id', '=', projectId).execute();
  const found = await withRules(db, members, ({ user_id }, rules, member) =>
    decide(rules, member, templateId, 'see').allowed ? [] : [user_id],
  );
  return new Set(found.flat());
};
