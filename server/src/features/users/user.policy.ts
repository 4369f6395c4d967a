import type { CurrentUser, SecondFactorMode, User, UserChange } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { UserTable } from '../../database/schema.ts';
import { ApiError, badField } from '../../http/api-error.ts';
import type { Caller } from '../../http/call.ts';
import { secondFactorOf } from '../../second-factor-rule.ts';

export type UserRow = Selectable<UserTable>;
type Change = z.output<typeof UserChange>;

/** What changes are held against. */
type Facts = Omit<CurrentUser, 'second_factor'>;

const factsOf = (user: UserRow): Facts => ({
  id: user.id,
  name: user.name,
  username: user.username,
  email: user.email,
  email_proven: user.email_proven === 1,
  admin: user.admin === 1,
  alert: user.alert === 1,
  external: user.external === 1,
  can_create_project: user.admin === 1 || user.can_create_project === 1,
  billing: user.billing === 1,
  language: user.language,
  created: user.created,
});

export const presentCurrentUser = (user: UserRow, mode: SecondFactorMode): CurrentUser => ({
  ...factsOf(user),
  second_factor: secondFactorOf(mode, user),
});

/** Admins, and users themselves, see everything of a user but the password; others who it is. */
export const presentUser = (user: UserRow, caller: Caller, mode: SecondFactorMode): User =>
  caller.admin || caller.id === user.id
    ? presentCurrentUser(user, mode)
    : { id: user.id, name: user.name, username: user.username };

/** A user as a change finds them. Admins may create projects as such: the right of their own shows with the one they lose. */
export const shownBefore = (stored: UserRow, change: Change): Facts => {
  const shown = factsOf(stored);
  const staysAdmin = shown.admin && change.admin !== false && change.admin !== null;
  return staysAdmin ? shown : { ...shown, can_create_project: stored.can_create_project === 1 };
};

const FOR_ADMINS = ['admin', 'external', 'can_create_project', 'billing', 'email_proven'] as const;
const KEPT_ELSEWHERE = ['username', 'email'] as const;

/**
 * Refuses what this caller may not change of this user. What is sent back unchanged is no change.
 * @throws not_permitted for what is for admins, bad_input for what is kept where an external user signs in
 */
export const checkUserChange = (stored: UserRow, change: Change, caller: Caller): void => {
  const shown = shownBefore(stored, change);
  const changes = <N extends keyof Change & keyof Facts>(name: N): boolean => {
    // Null clears: a flag that is null is taken away.
    const wanted = change[name] === null && typeof shown[name] === 'boolean' ? false : change[name];
    return wanted !== undefined && wanted !== null && wanted !== shown[name];
  };
  const forbidden = FOR_ADMINS.filter((name) => changes(name) && !caller.admin);
  if (forbidden.length > 0) {
    throw new ApiError('not_permitted.admin_fields', { fields: forbidden.join(', ') });
  }
  if (changes('admin') && caller.id === stored.id) {
    throw new ApiError('not_permitted.demote_self');
  }
  const { username } = change;
  const isOwnAddress = username?.toLowerCase() === stored.email_key && stored.email_proven === 1;
  if (changes('username') && username?.includes('@') && !isOwnAddress && !caller.admin)
    throw badField('username', 'field.foreign_email');
  if (stored.external !== 1) return;
  const elsewhere = KEPT_ELSEWHERE.find(changes) ?? (change.password ? ('password' as const) : undefined);
  if (elsewhere) throw badField(elsewhere, 'field.external_user');
};
