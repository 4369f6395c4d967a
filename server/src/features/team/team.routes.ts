import { type EventMessage, type ProjectUser, ROLES, type RoleSlug, roleMessage } from '@signalbox/contract';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError, badField, notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { addMember, changeMember, findMember, listMembers } from './team.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Called when the rights of users have changed. */
  readonly rightsChanged: () => void;
}

type TeamRoutes =
  | 'listRoles'
  | 'listProjectUsers'
  | 'addProjectUser'
  | 'getProjectUser'
  | 'updateProjectUser'
  | 'removeProjectUser'
  | 'leaveProject';

const CHOICES = (Object.entries(ROLES) as [RoleSlug, { title: string }][]).map(([slug, { title }]) => ({
  slug,
  title,
}));

export const teamRoutes = ({ database, clock, rightsChanged }: Deps): Pick<Handlers, TeamRoutes> => {
  const record = (
    tx: StateTransaction,
    projectId: number,
    user: { readonly id: number; readonly username: string },
    event: Extract<EventMessage, { readonly kind: `team.${string}` }>,
    actor: Actor,
  ): Promise<void> =>
    recordEvent(tx, {
      ...event,
      actor,
      projectId,
      objectType: 'project_user',
      objectId: user.id,
      objectName: user.username,
      at: clock.now(),
    });

  /**
   * Runs within the lock for changes of users: two owners who leave at the same time would leave the project without
   * one.
   */
  const alone = async (work: (tx: StateTransaction) => Promise<void>): Promise<void> => {
    await orTaken(
      database,
      () => ({ code: 'conflict.member_exists' }),
      () => database.write(work, LOCK.users),
    );
    rightsChanged();
  };

  const mustFind = async (tx: Database['read'], projectId: number, userId: number): Promise<ProjectUser> => {
    const member = await findMember(tx, projectId, userId);
    if (!member) throw notFound();
    return member;
  };

  return {
    listRoles: () => Promise.resolve(CHOICES),

    listProjectUsers: async ({ params, query }) =>
      sorted(await listMembers(database.read, params.project_id), query, 'name'),

    addProjectUser: ({ params: { project_id }, body: { user_id, role }, actor }) =>
      alone(async (tx) => {
        const user = await tx
          .selectFrom('users')
          .select(['id', 'username'])
          .where('id', '=', user_id)
          .executeTakeFirst();
        if (!user) throw badField('user_id', 'field.not_user');
        await addMember(tx, { project_id, user_id, role });
        const params = { user: user.username, role: roleMessage(role) };
        await record(tx, project_id, user, { kind: 'team.member_added', params }, actor);
      }),

    getProjectUser: ({ params }) => mustFind(database.read, params.project_id, params.user_id),

    updateProjectUser: ({ params: { project_id, user_id }, body, actor, precondition }) =>
      alone(async (tx) => {
        const member = await mustFind(tx, project_id, user_id);
        await precondition.check(() => member);
        if (body.role === null) throw badField('role', 'field.required');
        const role = body.role ?? member.role;
        await changeMember(tx, member, role);
        const old_role = roleMessage(member.role);
        const params = { user: member.username, role: roleMessage(role), old_role };
        await record(tx, project_id, member, { kind: 'team.role_changed', params }, actor);
      }),

    removeProjectUser: ({ params: { project_id, user_id }, actor, precondition }) =>
      alone(async (tx) => {
        const member = await mustFind(tx, project_id, user_id);
        await precondition.check(() => member);
        await changeMember(tx, member, null);
        const event = { kind: 'team.member_removed', params: { user: member.username } } as const;
        await record(tx, project_id, member, event, actor);
      }),

    leaveProject: ({ params: { project_id }, caller, actor }) =>
      alone(async (tx) => {
        const member = await findMember(tx, project_id, caller.id);
        // An admin who is not a member cannot leave.
        if (!member) return;
        if (member.role === 'owner') throw new ApiError('conflict.owner_leaves');
        await changeMember(tx, member, null);
        const event = { kind: 'team.member_left', params: { user: member.username } } as const;
        await record(tx, project_id, member, event, actor);
      }),
  };
};
