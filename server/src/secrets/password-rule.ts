import { FREQUENT_PASSWORDS } from './frequent-passwords.ts';

/** Fewer characters are refused. */
const MIN_CHARACTERS = 8;

/** What is wrong with a new password, as the second half of a sentence; undefined for one that may be set. */
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
