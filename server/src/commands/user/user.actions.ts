import { NewPassword, NewServiceAccount, NewUser } from '@signalbox/contract';
import type { Updateable } from 'kysely';
import { z } from 'zod';
import { recordUserChange, recordUserEvent } from '../../audit/installation-event.ts';
import { SYSTEM } from '../../audit/record-event.ts';
import { LOCK, type StateTransaction } from '../../database/database.ts';
import type { UserTable } from '../../database/schema.ts';
import { turnOff } from '../../features/second-factor/second-factor.store.ts';
import { soleOwnerships } from '../../features/team/team.store.ts';
import { presentCurrentUser, type UserRow } from '../../features/users/user.policy.ts';
import {
  changePassword,
  deleteUser,
  insertUser,
  listUsers,
  refuseTaken,
  serviceAccount,
  userRow,
} from '../../features/users/user.store.ts';
import { english } from '../../http/errors/english.ts';
import { fieldsError } from '../../http/errors/error-answer.ts';
import { FIELD_CHECKS } from '../../http/errors/field-message.ts';
import { hashPassword } from '../../secrets/password.ts';
import { passwordProblem } from '../../secrets/password-rule.ts';
import { StartError } from '../../start-error.ts';
import { print, printJson, readSecret } from '../terminal.ts';
import { withState } from '../with-state.ts';
import { findUser, type Who } from './find-user.ts';

interface PasswordOptions {
  readonly password?: string;
  readonly passwordStdin?: boolean;
}

/** Applies the same rules as the API. */
const checked = <S extends z.ZodType>(schema: S, input: z.input<S>): z.output<S> => {
  const result = schema.safeParse(input, FIELD_CHECKS);
  if (result.success) return result.data;
  throw new StartError(`This cannot be stored: ${fieldsError(result.error).message}`);
};

const refuseWeak = (password: string, user: { readonly username: string; readonly email: string }): void => {
  const problem = passwordProblem(password, user);
  if (problem !== undefined) throw new StartError(`The password ${english(problem)}.`);
};

const line = (user: UserRow): string =>
  [
    user.username,
    user.name,
    user.email,
    user.admin === 1 && 'admin',
    user.external === 1 && 'external',
    user.service === 1 && 'service account',
    user.second_factor === 1 && 'second factor',
  ]
    .filter((part) => part !== false)
    .join('\t');

export const listAll = ({ json }: { readonly json?: boolean }): Promise<void> =>
  withState(async (database, { secondFactor }) => {
    const users = await listUsers(database.read);
    if (json) printJson(users.map((user) => presentCurrentUser(user, secondFactor)));
    else for (const user of users) print(line(user));
  });

export const show = ({ json, ...who }: Who & { readonly json?: boolean }): Promise<void> =>
  withState(async (database, { secondFactor }) => {
    const user = await findUser(database.read, who);
    if (json) printJson(presentCurrentUser(user, secondFactor));
    else print(line(user));
  });

export const add = async (
  options: PasswordOptions & {
    readonly login: string;
    readonly name: string;
    readonly email: string;
    readonly admin?: boolean;
  },
): Promise<void> => {
  const password = await readSecret('password', options.password, options.passwordStdin);
  if (password === undefined) throw new StartError('--password or --password-stdin is missing.');
  const { login: username, name, email, admin } = options;
  const user = checked(NewUser, { username, name, email, password, admin: admin ?? false });
  refuseWeak(user.password, user);
  const now = new Date();
  const row = await userRow(user, now);
  await withState((database) =>
    database.write(async (tx) => {
      await refuseTaken(tx, user);
      const id = await insertUser(tx, row);
      const made = { id, username: user.username };
      await recordUserEvent(tx, made, 'user.created_on_command_line', SYSTEM, now);
    }, LOCK.users),
  );
  print(`User ${user.username} created`);
};

export const addService = async (options: {
  readonly login: string;
  readonly name: string;
  readonly admin?: boolean;
}): Promise<void> => {
  const { login: username, name, admin } = options;
  const account = serviceAccount(checked(NewServiceAccount, { username, name, admin: admin ?? false }));
  const now = new Date();
  const row = await userRow(account, now);
  await withState((database) =>
    database.write(async (tx) => {
      await refuseTaken(tx, account);
      const made = { id: await insertUser(tx, row), username: account.username };
      await recordUserEvent(tx, made, 'user.service_created_on_command_line', SYSTEM, now);
    }, LOCK.users),
  );
  print(`Service account ${account.username} created`);
};

/** @throws StartError when no other admin would remain */
const mustLeaveAdmin = async (tx: StateTransaction, user: UserRow): Promise<void> => {
  if (user.admin !== 1) return;
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('admin', '=', 1)
    .where('id', '!=', user.id)
    // A service account cannot sign in.
    .where('service', '=', 0)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw new StartError(`${user.username} is the only system administrator. Make another user one first.`);
};

const Changes = z.object({
  username: NewUser.shape.username.optional(),
  name: NewUser.shape.name.optional(),
  email: NewUser.shape.email.optional(),
  password: NewPassword.shape.password.optional(),
  admin: z.boolean().optional(),
});

const columnsOf = (changes: z.output<typeof Changes>): Updateable<UserTable> => ({
  ...(changes.username === undefined
    ? {}
    : { username: changes.username, username_key: changes.username.toLowerCase() }),
  ...(changes.name === undefined ? {} : { name: changes.name }),
  ...(changes.email === undefined
    ? {}
    : { email: changes.email, email_key: changes.email.toLowerCase(), email_proven: 1 }),
  ...(changes.admin === undefined ? {} : { admin: changes.admin ? 1 : 0 }),
});

const KEPT_ELSEWHERE = ['username', 'email', 'password'] as const;

export const change = async (
  who: Who,
  options: PasswordOptions & {
    readonly keepTokens?: boolean;
    readonly username?: string;
    readonly name?: string;
    readonly email?: string;
    readonly admin?: boolean;
  },
): Promise<void> => {
  const { passwordStdin, password: given, keepTokens = false, ...rest } = options;
  const password = await readSecret('password', given, passwordStdin);
  const changes = checked(Changes, { ...rest, password });
  const columns = columnsOf(changes);
  const isChanged = Object.keys(columns).length > 0;
  if (!isChanged && changes.password === undefined)
    throw new StartError('There is nothing to change. Name a new value.');
  const hash = changes.password === undefined ? undefined : await hashPassword(changes.password);
  await withState((database) =>
    database.write(async (tx) => {
      const user = await findUser(tx, who);
      const elsewhere = user.external === 1 ? KEPT_ELSEWHERE.find((name) => changes[name] !== undefined) : undefined;
      if (user.service === 1 && (changes.email !== undefined || changes.password !== undefined))
        throw new StartError(`${user.username} is a service account: it has neither an email address nor a password.`);
      if (elsewhere)
        throw new StartError(`The provider of ${user.username} manages the ${elsewhere}. Change it there.`);
      if (changes.password !== undefined) refuseWeak(changes.password, { ...user, ...columns } as UserRow);
      const now = new Date();
      if (isChanged) {
        if (changes.admin === false) await mustLeaveAdmin(tx, user);
        await refuseTaken(tx, columns, user.id);
        await tx.updateTable('users').set(columns).where('id', '=', user.id).execute();
        await recordUserChange(tx, user, columns, 'user.changed_on_command_line', SYSTEM, now);
      }
      if (hash === undefined) return;
      await changePassword(tx, user.id, { hash, endTokens: !keepTokens });
      await recordUserEvent(tx, user, 'user.password_changed_on_command_line', SYSTEM, now);
    }, LOCK.users),
  );
  const named = who.login ?? who.email;
  if (isChanged) print(`User ${named} changed`);
  if (hash !== undefined) print(`Password of ${named} changed`);
};

/**
 * Removes the second factor of a user who has lost it. Signing in needs only the password until a new one is set up.
 */
export const resetSecondFactor = async (who: Who): Promise<void> => {
  await withState((database) =>
    database.write(async (tx) => {
      const user = await findUser(tx, who);
      if (user.second_factor !== 1) throw new StartError(`${user.username} has no second factor.`);
      await turnOff(tx, user.id);
      await recordUserEvent(tx, user, 'user.second_factor_reset_on_command_line', SYSTEM, new Date());
    }, LOCK.users),
  );
  print(`Second factor of ${who.login ?? who.email} reset`);
};

export const remove = async (who: Who): Promise<void> => {
  await withState((database) =>
    database.write(async (tx) => {
      const user = await findUser(tx, who);
      await mustLeaveAdmin(tx, user);
      const projects = await soleOwnerships(tx, user.id);
      if (projects.length > 0)
        throw new StartError(`${user.username} is the only owner of ${projects.join(', ')}: name another owner first.`);
      await deleteUser(tx, user);
      await recordUserEvent(tx, user, 'user.deleted_on_command_line', SYSTEM, new Date());
    }, LOCK.users),
  );
  print(`User ${who.login ?? who.email} deleted`);
};
