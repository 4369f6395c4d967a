import type { MemberRole } from '@signalbox/contract';
import type { StateReader } from '../database/database.ts';
import { type AccessMember, type AccessRules, decide, hiddenTemplates } from './access.ts';
import { memberPermissions } from './member-permissions.ts';
import { readGroups, readRules } from './read-access.ts';

/** A row of a membership with the permissions of its role. */
export interface MembershipRow {
  readonly user_id: number;
  readonly project_id: number;
  readonly role: MemberRole;
  readonly role_id: number | null;
  /** The permissions of a role of `custom`; null for a fixed role. */
  readonly permissions: number | null;
}

/** The memberships of users or of projects, with the permissions of their roles. */
export const selectMemberships = (db: StateReader) =>
  db
    .selectFrom('project_user')
    .leftJoin('custom_role', 'custom_role.id', 'project_user.role_id')
    .select(['project_user.user_id', 'project_user.project_id', 'project_user.role', 'project_user.role_id'])
    .select('custom_role.permissions');

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
    const member = {
      userId: row.user_id,
      role: row.role,
      roleId: row.role_id,
      permissions: memberPermissions(row),
      groups: groups.get(row.user_id) ?? new Set<string>(),
    };
    return [each(row, own, member)];
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
