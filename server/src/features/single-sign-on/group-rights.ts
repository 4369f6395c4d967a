import { type MemberRole, ROLES, type RoleSlug, roleMessage } from '@signalbox/contract';
import { leaveProject } from '../../access/leave-project.ts';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { SignOnSource } from '../../settings/sign-in-settings.ts';

interface Person {
  readonly id: number;
  readonly username: string;
  readonly admin: number;
}

/** Highest role first. */
const BY_RANK = Object.keys(ROLES) as RoleSlug[];

/** The role in each project that the rules name; null where no group grants one. */
const wantedRoles = async (
  tx: StateTransaction,
  { projectRoles }: SignOnSource,
  groups: readonly string[],
): Promise<Map<number, RoleSlug | null>> => {
  const wanted = new Map<number, RoleSlug | null>();
  if (projectRoles.length === 0) return wanted;
  const projects = await tx.selectFrom('project').select(['id', 'name']).execute();
  for (const { group, project, role } of projectRoles) {
    // Project names are not unique. A rule applies to every project with its name.
    for (const { id } of projects.filter((one) => one.id === project || one.name === project)) {
      const before = wanted.get(id) ?? null;
      const given = groups.includes(group) ? role : null;
      const isMore = given !== null && (before === null || BY_RANK.indexOf(given) < BY_RANK.indexOf(before));
      wanted.set(id, isMore ? given : before);
    }
  }
  return wanted;
};

const isLastOwner = async (tx: StateTransaction, projectId: number, userId: number): Promise<boolean> => {
  const other = await tx
    .selectFrom('project_user')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
};

const setMembership = async (
  tx: StateTransaction,
  projectId: number,
  userId: number,
  role: RoleSlug | null,
): Promise<{ readonly before: MemberRole | null } | undefined> => {
  const member = await tx
    .selectFrom('project_user')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const before = member?.role ?? null;
  if (before === role) return undefined;
  if (member?.role === 'owner' && (await isLastOwner(tx, projectId, userId))) return undefined;
  if (role === null) {
    await leaveProject(tx, projectId, userId);
  } else if (member) {
    await tx
      .updateTable('project_user')
      .set({ role, role_id: null })
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .execute();
  } else {
    await tx.insertInto('project_user').values({ project_id: projectId, user_id: userId, role }).execute();
  }
  return { before };
};

const isOnlyAdmin = async (tx: StateTransaction, userId: number): Promise<boolean> => {
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('admin', '=', 1)
    .where('id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
};

/** Stores the groups of a user, for grants to groups. */
const storeGroups = async (tx: StateTransaction, userId: number, groups: readonly string[]): Promise<void> => {
  await tx.deleteFrom('user_group').where('user_id', '=', userId).execute();
  const names = [...new Set(groups)].filter((name) => name !== '');
  if (names.length === 0) return;
  await tx
    .insertInto('user_group')
    .values(names.map((name) => ({ user_id: userId, name })))
    .execute();
};

/**
 * Grants and revokes the rights of an external user according to their groups, for projects that the rules name.
 * Keeps the last owner of a project and the last admin. Must run within the lock for changes of users.
 */
export const applyGroups = async (
  tx: StateTransaction,
  source: SignOnSource,
  groups: readonly string[],
  person: Person,
  actor: Actor,
  at: Date,
): Promise<void> => {
  await storeGroups(tx, person.id, groups);
  const by = { user: person.username, source: source.name };
  const about = { actor, objectId: person.id, objectName: person.username, at };
  if (source.adminGroups.length > 0) {
    const admin = source.adminGroups.some((group) => groups.includes(group)) ? 1 : 0;
    if (admin !== person.admin && (admin === 1 || !(await isOnlyAdmin(tx, person.id)))) {
      await tx.updateTable('users').set({ admin }).where('id', '=', person.id).execute();
      const kind = admin === 1 ? 'user.admin_granted_by_groups' : 'user.admin_revoked_by_groups';
      await recordEvent(tx, { ...about, projectId: null, objectType: 'user', kind, params: by });
    }
  }
  for (const [projectId, role] of await wantedRoles(tx, source, groups)) {
    const change = await setMembership(tx, projectId, person.id, role);
    if (!change) continue;
    const inTeam = { ...about, projectId, objectType: 'project_user' };
    if (role === null) {
      await recordEvent(tx, { ...inTeam, kind: 'team.member_removed_by_groups', params: by });
      continue;
    }
    const before = change.before === null ? {} : { old_role: roleMessage(change.before) };
    const params = { ...by, role: roleMessage(role), ...before };
    await recordEvent(tx, { ...inTeam, kind: 'team.role_changed_by_groups', params });
  }
};
