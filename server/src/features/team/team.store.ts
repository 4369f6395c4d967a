import type { MemberRole, ProjectUser } from '@signalbox/contract';
import { leaveProject } from '../../access/leave-project.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors/api-error.ts';

const members = (db: StateReader, projectId: number) =>
  db
    .selectFrom('project_user')
    .innerJoin('users', 'users.id', 'project_user.user_id')
    .select([
      'users.id',
      'project_user.user_id',
      'project_user.project_id',
      'project_user.role',
      'project_user.role_id',
      'users.name',
      'users.username',
    ])
    .where('project_user.project_id', '=', projectId);

export const listMembers = (db: StateReader, projectId: number): Promise<ProjectUser[]> =>
  members(db, projectId).execute();

export const findMember = (db: StateReader, projectId: number, userId: number): Promise<ProjectUser | undefined> =>
  members(db, projectId).where('project_user.user_id', '=', userId).executeTakeFirst();

/** A fixed role, or the id of another one. */
interface GivenRole {
  readonly role: MemberRole;
  readonly role_id: number | null;
}

export const addMember = async (
  tx: StateTransaction,
  member: GivenRole & { readonly project_id: number; readonly user_id: number },
): Promise<void> => {
  await tx.insertInto('project_user').values(member).execute();
};

/**
 * Changes the role of a member, or removes the member. Must run within the lock for changes of users.
 * @param given null removes the member
 * @throws conflict when the project would have no owner
 */
export const changeMember = async (
  tx: StateTransaction,
  member: ProjectUser,
  given: GivenRole | null,
): Promise<void> => {
  if (member.role === 'owner' && given?.role !== 'owner') {
    const other = await tx
      .selectFrom('project_user')
      .select('user_id')
      .where('project_id', '=', member.project_id)
      .where('role', '=', 'owner')
      .where('user_id', '!=', member.user_id)
      .limit(1)
      .executeTakeFirst();
    if (!other) throw new ApiError('conflict.owner_needed');
  }
  if (given === null) {
    await leaveProject(tx, member.project_id, member.user_id);
    return;
  }
  await tx
    .updateTable('project_user')
    .set({ role: given.role, role_id: given.role_id })
    .where('project_id', '=', member.project_id)
    .where('user_id', '=', member.user_id)
    .execute();
};

/** Names of the projects in which this user is the only owner. */
export const soleOwnerships = async (tx: StateTransaction, userId: number): Promise<string[]> => {
  const rows = await tx
    .selectFrom('project_user as own')
    .innerJoin('project', 'project.id', 'own.project_id')
    .select('project.name')
    .where('own.user_id', '=', userId)
    .where('own.role', '=', 'owner')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('project_user as other')
            .select('other.user_id')
            .whereRef('other.project_id', '=', 'own.project_id')
            .where('other.role', '=', 'owner')
            .where('other.user_id', '!=', userId),
        ),
      ),
    )
    .orderBy('project.name')
    .execute();
  return rows.map((row) => row.name);
};
