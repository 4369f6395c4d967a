import { FREQUENT_PASSWORDS } from './frequent-passwords.ts';

/** Minimum length of a password, in characters. */
const MIN_CHARACTERS = 8;

/** Returns what is wrong with a new password, as the second half of a sentence; undefined for a valid one. */
export const passwordProblem = (
  password: string,
  user: { readonly username: string; readonly email: string },
): string | undefined => {
  if ([...password].length < MIN_CHARACTERS) return `must have at least ${MIN_CHARACTERS} characters`;
  const plain = password.trim().toLowerCase();
  if ([user.username, user.email].some((name) => name !== '' && name.toLowerCase() === plain))
    return 'must not be the username or the e-mail address';
  return FREQUENT_PASSWORDS.has(plain) ? 'is one of the most common passwords: choose another one' : undefined;
};
