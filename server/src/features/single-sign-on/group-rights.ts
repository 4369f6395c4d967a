import { ROLES, type RoleSlug } from '@signalbox/contract';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { SignOnSource } from '../../sign-in-settings.ts';

interface Person {
  readonly id: number;
  readonly username: string;
  readonly admin: number;
}

/** The highest first. */
const BY_RANK = Object.keys(ROLES) as RoleSlug[];

/** The role in each project that the rules of the source speak of; null where none of the groups gives one. */
const wantedRoles = async (
  tx: StateTransaction,
  { projectRoles }: SignOnSource,
  groups: readonly string[],
): Promise<Map<number, RoleSlug | null>> => {
  const wanted = new Map<number, RoleSlug | null>();
  if (projectRoles.length === 0) return wanted;
  const projects = await tx.selectFrom('project').select(['id', 'name']).execute();
  for (const { group, project, role } of projectRoles) {
    // Names are not unique: a rule that names one is about every project of that name.
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

const placeInProject = async (
  tx: StateTransaction,
  projectId: number,
  userId: number,
  role: RoleSlug | null,
): Promise<boolean> => {
  const member = await tx
    .selectFrom('project_user')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if ((member?.role ?? null) === role) return false;
  if (member?.role === 'owner' && (await isLastOwner(tx, projectId, userId))) return false;
  if (role === null) {
    await tx.deleteFrom('project_user').where('project_id', '=', projectId).where('user_id', '=', userId).execute();
  } else if (member) {
    await tx
      .updateTable('project_user')
      .set({ role })
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .execute();
  } else {
    await tx.insertInto('project_user').values({ project_id: projectId, user_id: userId, role }).execute();
  }
  return true;
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

/**
 * Gives an external user what their groups give, and takes away what they do not, as far as the rules of the source speak
 * of it. The last owner of a project and the last admin stay. Must run alone among those who change teams.
 */
export const applyGroups = async (
  tx: StateTransaction,
  source: SignOnSource,
  groups: readonly string[],
  person: Person,
  actor: Actor,
  at: Date,
): Promise<void> => {
  const about = { actor, objectId: person.id, objectName: person.username, at };
  if (source.adminGroups.length > 0) {
    const admin = source.adminGroups.some((group) => groups.includes(group)) ? 1 : 0;
    if (admin !== person.admin && (admin === 1 || !(await isOnlyAdmin(tx, person.id)))) {
      await tx.updateTable('users').set({ admin }).where('id', '=', person.id).execute();
      const change = admin === 1 ? 'now' : 'no longer';
      const description = `${person.username} is ${change} an administrator by the groups of ${source.name}`;
      await recordEvent(tx, { ...about, projectId: null, objectType: 'user', description });
    }
  }
  for (const [projectId, role] of await wantedRoles(tx, source, groups)) {
    if (!(await placeInProject(tx, projectId, person.id, role))) continue;
    const description =
      role === null
        ? `${person.username} removed from the team by the groups of ${source.name}`
        : `${person.username} is now ${ROLES[role].title} by the groups of ${source.name}`;
    await recordEvent(tx, { ...about, projectId, objectType: 'project_user', description });
  }
};
