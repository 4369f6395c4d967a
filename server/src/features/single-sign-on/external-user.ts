import type { Insertable, Selectable } from 'kysely';
import { recordInstallationEvent } from '../../audit/installation-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { UserTable } from '../../database/schema.ts';
import type { SignOnSource } from '../../settings/sign-in-settings.ts';
import { applyGroups } from './group-rights.ts';
import type { Profile } from './profile.ts';
import { SignOnFailure } from './sign-on-failure.ts';

type UserRow = Selectable<UserTable>;

const find = (tx: StateTransaction, id: number): Promise<UserRow> =>
  tx.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** The user with this confirmed email address. An equal username proves nothing. */
const ownerOf = (tx: StateTransaction, email: string): Promise<UserRow | undefined> =>
  tx
    .selectFrom('users')
    .selectAll()
    .where('email_key', '=', email.toLowerCase())
    .where('email_proven', '=', 1)
    .limit(1)
    .executeTakeFirst();

/** The user with this text as the username or as a proven email address. */
const reachedBy = (tx: StateTransaction, text: string): Promise<UserRow | undefined> => {
  const key = text.toLowerCase();
  return tx
    .selectFrom('users')
    .selectAll()
    .where((eb) =>
      eb.or([eb('username_key', '=', key), eb.and([eb('email_key', '=', key), eb('email_proven', '=', 1)])]),
    )
    .limit(1)
    .executeTakeFirst();
};

/** The wanted username, with a number appended if another user has it. */
const freeUsername = async (tx: StateTransaction, wished: string): Promise<string> => {
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : `-${n}`;
    const username = `${wished.slice(0, 255 - suffix.length).toWellFormed()}${suffix}`;
    if (!(await reachedBy(tx, username))) return username;
  }
};

const identify = async (
  tx: StateTransaction,
  source: SignOnSource,
  { subject }: Profile,
  userId: number,
  at: string,
): Promise<void> => {
  await tx
    .insertInto('identity')
    .values({ user_id: userId, source: source.source, subject, created: at, last_used: at })
    .execute();
};

const firstTime = async (
  tx: StateTransaction,
  source: SignOnSource,
  profile: Profile,
  address: string,
  now: Date,
): Promise<UserRow> => {
  const { name, email, emailVerified } = profile;
  const at = now.toISOString();
  const record = (
    { id, username }: { readonly id: number; readonly username: string },
    kind: 'user.linked' | 'user.created_at_sign_in',
  ) => {
    const event = { kind, params: { user: username, source: source.name } };
    return recordInstallationEvent(tx, 'user', { id, name: username }, event, { userId: id, address }, now);
  };
  const namesake = email === '' ? undefined : await ownerOf(tx, email);
  if (namesake) {
    if (!source.linkByVerifiedEmail || !emailVerified)
      throw new SignOnFailure('conflict', 'another user has this email address');
    await identify(tx, source, profile, namesake.id, at);
    await record(namesake, 'user.linked');
    return namesake;
  }
  const username = await freeUsername(tx, profile.username);
  const row: Insertable<UserTable> = {
    ...{ username, username_key: username.toLowerCase(), name, email, email_key: email.toLowerCase() },
    email_proven: emailVerified ? 1 : 0,
    ...{ password_hash: '', admin: 0, alert: 0, external: 1, can_create_project: 0, billing: 0, created: at },
  };
  const { id } = await tx.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow();
  await identify(tx, source, profile, id, at);
  await record({ id, username }, 'user.created_at_sign_in');
  return await find(tx, id);
};

/** Updates name and address from the source. The username stays. */
const refresh = async (tx: StateTransaction, user: UserRow, { name, email, emailVerified }: Profile): Promise<void> => {
  const isOther = email !== user.email || (emailVerified && user.email_proven === 0);
  const isFree = email !== '' && isOther && ((await reachedBy(tx, email))?.id ?? user.id) === user.id;
  if (name === user.name && !isFree) return;
  const proven = { email_proven: emailVerified ? (1 as const) : (0 as const) };
  const address = isFree ? { email, email_key: email.toLowerCase(), ...proven } : {};
  await tx
    .updateTable('users')
    .set({ name, ...address })
    .where('id', '=', user.id)
    .execute();
};

/**
 * Returns the user for a person of a provider or directory; creates it at the first sign-in. External users get the
 * rights of their groups. Must run within the lock for changes of users.
 * @throws SignOnFailure when the person cannot be distinguished from another user
 */
export const enterExternal = async (
  tx: StateTransaction,
  source: SignOnSource,
  profile: Profile,
  address: string,
  now: Date,
): Promise<{ readonly id: number; readonly username: string }> => {
  const identity = await tx
    .updateTable('identity')
    .set({ last_used: now.toISOString() })
    .where('source', '=', source.source)
    .where('subject', '=', profile.subject)
    .returning('user_id')
    .executeTakeFirst();
  const user = identity ? await find(tx, identity.user_id) : await firstTime(tx, source, profile, address, now);
  // The rights of local users are managed on this server, even when a provider authenticates them.
  if (user.external === 1) {
    if (identity) await refresh(tx, user, profile);
    await applyGroups(tx, source, profile.groups, user, { userId: user.id, address }, now);
  }
  return user;
};
