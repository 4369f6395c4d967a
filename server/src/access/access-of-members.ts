import type { GrantRight } from '@signalbox/contract';
import type { StateReader } from '../database/database.ts';
import { type AccessRules, decide, hiddenTemplates, NO_RULES } from './access.ts';
import { type AccessMember, type MembershipRow, memberOf, selectMemberships } from './memberships.ts';
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

/** The members of a project who do not have a right on a template. Administrators have every right. */
export const usersWithoutRight = async (
  db: StateReader,
  projectId: number,
  templateId: number,
  right: GrantRight,
): Promise<ReadonlySet<number>> => {
  const members = await selectMemberships(db)
    .innerJoin('users', 'users.id', 'project_user.user_id')
    .where('project_user.project_id', '=', projectId)
    .where('users.admin', '=', 0)
    .execute();
  const rules = (await readRules(db, [projectId])).get(projectId) ?? NO_RULES;
  const groups = await readGroups(
    db,
    members.map(({ user_id }) => user_id),
  );
  const mayNot = (row: MembershipRow): boolean =>
    !decide(rules, memberOf(row, groups.get(row.user_id)), templateId, right).allowed;
  return new Set(members.filter(mayNot).map(({ user_id }) => user_id));
};
