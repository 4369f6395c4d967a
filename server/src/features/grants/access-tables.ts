import type { AccessDecision, GrantRight, MemberAccess, TemplateAccess } from '@signalbox/contract';
import { type AccessRules, type Decision, decide, isLimited, NO_RULES } from '../../access/access.ts';
import { type AccessMember, memberOf, selectMemberships } from '../../access/memberships.ts';
import { readGroups, readRules } from '../../access/read-access.ts';
import type { StateReader } from '../../database/database.ts';

const presentDecision = ({ allowed, reason, grants }: Decision): AccessDecision => ({
  allowed,
  reason,
  grant_ids: grants.map(({ id }) => id),
  limited: grants.length > 0 && grants.every(isLimited),
});

/** The decision about each right of a member on a template. */
const decisionsOf = (rules: AccessRules, member: AccessMember, isAdmin: boolean, templateId: number) => {
  const decisionOf = (right: GrantRight): AccessDecision =>
    isAdmin
      ? { allowed: true, reason: 'admin', grant_ids: [], limited: false }
      : presentDecision(decide(rules, member, templateId, right));
  return { see: decisionOf('see'), run: decisionOf('run'), approve: decisionOf('approve'), edit: decisionOf('edit') };
};

const readMembers = async (db: StateReader, projectId: number) => {
  const rows = await selectMemberships(db)
    .innerJoin('users', 'users.id', 'project_user.user_id')
    .select(['users.name', 'users.admin'])
    .where('project_user.project_id', '=', projectId)
    .orderBy('users.name')
    .orderBy('users.id')
    .execute();
  const groups = await readGroups(
    db,
    rows.map(({ user_id }) => user_id),
  );
  return rows.map((row) => ({
    name: row.name,
    isAdmin: row.admin === 1,
    member: memberOf(row, groups.get(row.user_id)),
  }));
};

/** What each member of a project may do with a template, and why. */
export const listAccessToTemplate = async (
  db: StateReader,
  projectId: number,
  templateId: number,
): Promise<MemberAccess[]> => {
  const rules = (await readRules(db, [projectId])).get(projectId) ?? NO_RULES;
  return (await readMembers(db, projectId)).map(({ name, isAdmin, member }) => ({
    user_id: member.userId,
    name,
    role: member.role,
    role_id: member.roleId,
    groups: [...member.groups].sort(),
    ...decisionsOf(rules, member, isAdmin, templateId),
  }));
};

/** What a member of a project may do with each template, and why; undefined for a user who is no member. */
export const listAccessOfMember = async (
  db: StateReader,
  projectId: number,
  userId: number,
): Promise<TemplateAccess[] | undefined> => {
  const found = (await readMembers(db, projectId)).find(({ member }) => member.userId === userId);
  if (!found) return undefined;
  const rules = (await readRules(db, [projectId])).get(projectId) ?? NO_RULES;
  const templates = await db
    .selectFrom('template')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .orderBy('name')
    .execute();
  return templates.map(({ id, name }) => ({
    template_id: id,
    name,
    ...decisionsOf(rules, found.member, found.isAdmin, id),
  }));
};
