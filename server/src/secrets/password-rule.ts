import { type FieldMessage, MIN_PASSWORD } from '@signalbox/contract';
import { FREQUENT_PASSWORDS } from './frequent-passwords.ts';

/** Returns what is wrong with a new password; undefined for a valid one. */
export const passwordProblem = (
  password: string,
  user: { readonly username: string; readonly email: string },
): FieldMessage | undefined => {
  if ([...password].length < MIN_PASSWORD) return { code: 'field.too_short', params: { min: MIN_PASSWORD } };
  const plain = password.trim().toLowerCase();
  if ([user.username, user.email].some((name) => name !== '' && name.toLowerCase() === plain))
    return { code: 'field.password_name' };
  return FREQUENT_PASSWORDS.has(plain) ? { code: 'field.password_common' } : undefined;
};
