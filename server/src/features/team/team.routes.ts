import { type EventMessage, type MemberRole, type ProjectUser, roleMessage } from '@signalbox/contract';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateReader, type StateTransaction } from '../../database/database.ts';
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
  readonly findRole: FindRole;
  /** The name of a role of a project or of the system. */
  readonly nameOfRole: (tx: StateReader, roleId: number | null) => Promise<string>;
}

type TeamRoutes =
  | 'listProjectUsers'
  | 'addProjectUser'
  | 'getProjectUser'
  | 'updateProjectUser'
  | 'removeProjectUser'
  | 'leaveProject';

/** Finds the role that a request names. @throws bad_input when a member of the project can't have it */
type FindRole = (
  tx: StateReader,
  projectId: number,
  role: MemberRole,
  roleId: number | null | undefined,
) => Promise<{ readonly role: MemberRole; readonly role_id: number | null; readonly name: string }>;

export const teamRoutes = ({
  database,
  clock,
  rightsChanged,
  findRole,
  nameOfRole,
}: Deps): Pick<Handlers, TeamRoutes> => {
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
    listProjectUsers: async ({ params, query }) =>
      sorted(await listMembers(database.read, params.project_id), query, 'name'),

    addProjectUser: ({ params: { project_id }, body: { user_id, role, role_id }, actor }) =>
      alone(async (tx) => {
        const user = await tx
          .selectFrom('users')
          .select(['id', 'username'])
          .where('id', '=', user_id)
          .executeTakeFirst();
        if (!user) throw badField('user_id', 'field.not_user');
        const { name, ...given } = await findRole(tx, project_id, role, role_id);
        await addMember(tx, { project_id, user_id, ...given });
        const params = { user: user.username, role: roleMessage(role, name) };
        await record(tx, project_id, user, { kind: 'team.member_added', params }, actor);
      }),

    getProjectUser: ({ params }) => mustFind(database.read, params.project_id, params.user_id),

    updateProjectUser: ({ params: { project_id, user_id }, body, actor, precondition }) =>
      alone(async (tx) => {
        const member = await mustFind(tx, project_id, user_id);
        await precondition.check(() => member);
        if (body.role === null) throw badField('role', 'field.required');
        const keeps = body.role === undefined && body.role_id === undefined;
        const role = body.role ?? member.role;
        const { name, ...given } = await findRole(tx, project_id, role, keeps ? member.role_id : body.role_id);
        await changeMember(tx, member, given);
        const old_role = roleMessage(member.role, await nameOfRole(tx, member.role_id));
        const params = { user: member.username, role: roleMessage(role, name), old_role };
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
