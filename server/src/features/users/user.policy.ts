import type { CurrentUser, SecondFactorMode, User, UserChange } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { UserTable } from '../../database/schema.ts';
import type { Caller } from '../../http/calls/call.ts';
import { ApiError, badField } from '../../http/errors/api-error.ts';
import { secondFactorOf } from '../../second-factor-rule.ts';

export type UserRow = Selectable<UserTable>;
type Change = z.output<typeof UserChange>;

/** The values that a change is compared with. */
type Input = Omit<CurrentUser, 'second_factor'>;

/** What a service account never has, because it would be a way to sign in. */
const SIGN_IN_FIELDS = ['email', 'external', 'email_proven'] as const;

const inputOf = (user: UserRow): Input => ({
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
  service: user.service === 1,
  language: user.language,
  created: user.created,
});

export const presentCurrentUser = (user: UserRow, mode: SecondFactorMode): CurrentUser => ({
  ...inputOf(user),
  second_factor: secondFactorOf(mode, user),
});

/** Presents a user. Admins and the user see everything but the password; other users see only who it is. */
export const presentUser = (user: UserRow, caller: Caller, mode: SecondFactorMode): User =>
  caller.admin || caller.id === user.id
    ? presentCurrentUser(user, mode)
    : { id: user.id, name: user.name, username: user.username };

/**
 * Returns the user as a client sees it. Admins may create projects anyway: when they lose that right, the flag of
 * their own shows.
 */
export const shownBefore = (stored: UserRow, change: Change): Input => {
  const shown = inputOf(stored);
  const staysAdmin = shown.admin && change.admin !== false && change.admin !== null;
  return staysAdmin ? shown : { ...shown, can_create_project: stored.can_create_project === 1 };
};

const FOR_ADMINS = ['admin', 'external', 'can_create_project', 'billing', 'email_proven'] as const;
const KEPT_ELSEWHERE = ['username', 'email'] as const;

/**
 * Refuses changes that this caller may not make. A value that is sent back unchanged is no change.
 * @throws not_permitted for fields that only admins may change, bad_input for fields that the provider of an external
 *   user manages
 */
export const checkUserChange = (stored: UserRow, change: Change, caller: Caller): void => {
  const shown = shownBefore(stored, change);
  const changes = <N extends keyof Change & keyof Input>(name: N): boolean => {
    // Null means false for a flag.
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
  if (stored.service === 1) {
    const refused = SIGN_IN_FIELDS.find(changes) ?? (change.password ? ('password' as const) : undefined);
    if (refused) throw badField(refused, 'field.service_account');
  }
  if (stored.external !== 1) return;
  const elsewhere = KEPT_ELSEWHERE.find(changes) ?? (change.password ? ('password' as const) : undefined);
  if (elsewhere) throw badField(elsewhere, 'field.external_user');
};
