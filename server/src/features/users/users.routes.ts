import { Email, type SecondFactorMode, type User, type UserChange } from '@signalbox/contract';
import type { Updateable } from 'kysely';
import type { z } from 'zod';
import { recordUserChange, recordUserEvent } from '../../audit/installation-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import type { UserTable } from '../../database/schema.ts';
import type { Caller, Handlers } from '../../http/calls/call.ts';
import { ApiError, badField, notFound } from '../../http/errors/api-error.ts';
import { fieldMessage } from '../../http/errors/field-message.ts';
import { sorted } from '../../http/objects/sorted.ts';
import type { ProveOwner } from '../../owner-proof.ts';
import { hashPassword } from '../../secrets/password.ts';
import { passwordProblem } from '../../secrets/password-rule.ts';
import { checkUserChange, presentCurrentUser, presentUser, shownBefore, type UserRow } from './user.policy.ts';
import {
  changePassword,
  deleteUser,
  findTaken,
  insertUser,
  listUsers,
  refuseTaken,
  serviceAccount,
  userRow,
} from './user.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secondFactor: SecondFactorMode;
  readonly proveOwner: ProveOwner;
  /** Names of the projects in which this user is the only owner. */
  readonly soleOwnerships: (tx: StateTransaction, userId: number) => Promise<string[]>;
  /** Called when the rights of users have changed. */
  readonly rightsChanged: () => void;
  /** Disables the mailed links of a user, which confirm the previous address. */
  readonly endProofs: (tx: StateTransaction, userId: number) => Promise<void>;
  /** Limits how often a user can learn that another user has an email address. */
  readonly attempts: {
    /** @throws too_many */
    readonly check: (tx: StateTransaction, userId: number, now: Date) => Promise<void>;
    readonly count: (
      tx: StateTransaction,
      claim: { readonly userId: number; readonly email: string },
      now: Date,
    ) => Promise<void>;
  };
}

type UserRoutes =
  | 'currentUser'
  | 'listUsers'
  | 'createUser'
  | 'createServiceAccount'
  | 'getUser'
  | 'updateUser'
  | 'deleteUser'
  | 'changePassword';

/** Returns the columns to write. A value that is sent back unchanged is no change. */
const changedColumns = (
  stored: UserRow,
  change: z.output<typeof UserChange>,
  caller: Caller,
): Updateable<UserTable> => {
  const shown = shownBefore(stored, change);
  const columns: Updateable<UserTable> = {};
  for (const name of ['admin', 'alert', 'external', 'can_create_project', 'billing', 'email_proven'] as const) {
    const value = change[name] ?? false;
    if (change[name] !== undefined && value !== shown[name]) columns[name] = value ? 1 : 0;
  }
  for (const name of ['name', 'username', 'email'] as const) {
    const value = change[name];
    if (value === null) throw badField(name, 'field.required');
    if (value === undefined || value === shown[name]) continue;
    if (value === '') throw badField(name, 'field.required');
    columns[name] = value;
  }
  if (change.language !== undefined && change.language !== stored.language) columns.language = change.language;
  if (columns.username !== undefined) columns.username_key = columns.username.toLowerCase();
  if (columns.email !== undefined) {
    const [problem] = Email.safeParse(columns.email).error?.issues ?? [];
    if (problem) throw ApiError.ofFields({ email: fieldMessage(problem) });
    columns.email_key = columns.email.toLowerCase();
    // Replaces any `email_proven` of the change: clients send back the value of the old address with the new address.
    columns.email_proven = caller.admin ? 1 : 0;
  }
  return columns;
};

const refuseWeak = (password: string, user: { readonly username: string; readonly email: string }): void => {
  const problem = passwordProblem(password, user);
  if (problem !== undefined) throw ApiError.ofFields({ password: problem });
};

/**
 * Whether a change needs the caller's current password: a new password of any user, or a new email address of the
 * caller.
 */
const needsProof = (stored: UserRow, { password, email }: z.output<typeof UserChange>, caller: Caller): boolean =>
  Boolean(password) || (caller.id === stored.id && Boolean(email) && email !== stored.email);

export const usersRoutes = ({
  database,
  clock,
  secondFactor,
  proveOwner,
  soleOwnerships,
  rightsChanged,
  endProofs,
  attempts,
}: Deps): Pick<Handlers, UserRoutes> => {
  const find = async (db: Pick<Database['read'], 'selectFrom'>, id: number): Promise<UserRow> => {
    const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    if (!user) throw notFound();
    return user;
  };

  const create = async (
    tx: StateTransaction,
    row: Awaited<ReturnType<typeof userRow>>,
    kind: 'user.created' | 'user.service_created',
    { caller, actor, now }: { readonly caller: Caller; readonly actor: Actor; readonly now: Date },
  ): Promise<User> => {
    await refuseTaken(tx, row);
    const id = await insertUser(tx, row);
    await recordUserEvent(tx, { id, username: row.username }, kind, actor, now);
    return presentUser(await find(tx, id), caller, secondFactor);
  };

  /** Two admins who revoke each other's rights at the same time must not leave the system without an admin. */
  const mustBeAdmin = async (tx: StateTransaction, id: number): Promise<void> => {
    const { admin } = await find(tx, id);
    if (admin !== 1) throw new ApiError('not_permitted.admins_only');
  };

  /**
   * Returns the error when another user has the wanted username or email address. Unchanged values are not checked,
   * because an unconfirmed address may belong to another user.
   * @throws too_many when the user has learned too often that an address is taken
   */
  const refuseReached = async (
    tx: StateTransaction,
    stored: UserRow,
    columns: Updateable<UserTable>,
    caller: Caller,
    now: Date,
  ): Promise<ApiError | undefined> => {
    const { username, email = columns.email_proven === 1 ? stored.email : undefined } = columns;
    const isLimited = email !== undefined && !caller.admin;
    if (isLimited) await attempts.check(tx, stored.id, now);
    const refusal = await findTaken(tx, { username, email }, stored.id);
    if (refusal && isLimited) await attempts.count(tx, { userId: stored.id, email }, now);
    return refusal;
  };

  return {
    currentUser: async ({ caller }) => presentCurrentUser(await find(database.read, caller.id), secondFactor),

    listUsers: async ({ caller, query }) => {
      const users = (await listUsers(database.read)).map((user) =>
        caller.admin
          ? presentCurrentUser(user, secondFactor)
          : { id: user.id, name: user.name, username: user.username },
      );
      return sorted(users, query, 'name');
    },

    createUser: async ({ body, caller, actor }) => {
      const now = clock.now();
      if (!body.external) refuseWeak(body.password, body);
      const row = await userRow(body, now);
      return await database.write((tx) => create(tx, row, 'user.created', { caller, actor, now }), LOCK.users);
    },

    createServiceAccount: async ({ body, caller, actor }) => {
      const now = clock.now();
      const row = await userRow(serviceAccount(body), now);
      return await database.write((tx) => create(tx, row, 'user.service_created', { caller, actor, now }), LOCK.users);
    },

    getUser: async ({ params, caller }) => presentUser(await find(database.read, params.user_id), caller, secondFactor),

    updateUser: async (call) => {
      const { params, body, caller, actor, session, precondition } = call;
      const before = await find(database.read, params.user_id);
      await precondition.check(() => presentUser(before, caller, secondFactor));
      checkUserChange(before, body, caller);
      if (body.password) refuseWeak(body.password, { ...before, ...changedColumns(before, body, caller) } as UserRow);
      const isProven = needsProof(before, body, caller);
      if (isProven) await proveOwner(call, body.current_password);
      const hash = body.password ? await hashPassword(body.password) : undefined;
      const refused = await database.write(async (tx) => {
        const stored = await find(tx, params.user_id);
        await precondition.check(() => presentUser(stored, caller, secondFactor));
        checkUserChange(stored, body, caller);
        if (needsProof(stored, body, caller) && !isProven) throw new ApiError('conflict.user_changed');
        if (caller.id !== stored.id) await mustBeAdmin(tx, caller.id);
        const columns = changedColumns(stored, body, caller);
        const now = clock.now();
        const refusal = await refuseReached(tx, stored, columns, caller, now);
        // Returned, because the count of this refusal must be committed.
        if (refusal) return refusal;
        if (columns.email !== undefined) await endProofs(tx, stored.id);
        if (Object.keys(columns).length > 0) {
          await tx.updateTable('users').set(columns).where('id', '=', stored.id).execute();
          // The language of a user's own messages is not recorded.
          const { language: _, ...recorded } = columns;
          if (Object.keys(recorded).length > 0)
            await recordUserChange(tx, stored, recorded, 'user.changed', actor, now);
        }
        if (hash === undefined) return undefined;
        await changePassword(tx, stored.id, { hash, endTokens: body.end_tokens ?? true, exceptSession: session.token });
        await recordUserEvent(tx, stored, 'user.password_changed', actor, now);
        return undefined;
      }, LOCK.users);
      if (refused) throw refused;
      rightsChanged();
    },

    deleteUser: async ({ params, caller, actor, precondition }) => {
      if (params.user_id === caller.id) {
        throw new ApiError('not_permitted.delete_self');
      }
      await database.write(async (tx) => {
        await mustBeAdmin(tx, caller.id);
        const stored = await find(tx, params.user_id);
        await precondition.check(() => presentUser(stored, caller, secondFactor));
        const projects = await soleOwnerships(tx, stored.id);
        if (projects.length > 0) {
          throw new ApiError('conflict.only_owner', { user: stored.username, projects: projects.join(', ') });
        }
        await deleteUser(tx, stored);
        await recordUserEvent(tx, stored, 'user.deleted', actor, clock.now());
      }, LOCK.users);
      rightsChanged();
    },

    changePassword: async (call) => {
      const { params, body, actor, session } = call;
      const before = await find(database.read, params.user_id);
      if (before.external === 1) throw badField('password', 'field.external_password');
      if (before.service === 1) throw badField('password', 'field.service_account');
      refuseWeak(body.password, before);
      await proveOwner(call, body.current_password);
      const hash = await hashPassword(body.password);
      await database.write(async (tx) => {
        const stored = await find(tx, params.user_id);
        if (stored.external === 1) throw badField('password', 'field.external_password');
        await changePassword(tx, stored.id, { hash, endTokens: body.end_tokens, exceptSession: session.token });
        await recordUserEvent(tx, stored, 'user.password_changed', actor, clock.now());
      }, LOCK.users);
      rightsChanged();
    },
  };
};
