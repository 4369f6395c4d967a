import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A new unguessable token for a session or a runner. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What is stored of a token. A plain hash does: the token has 256 random bits, there is nothing to guess. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LETTERS_LIMIT = 256 - (256 % LETTERS.length);

/** A password that people can read off a terminal: 20 letters and digits that no one mistakes for another. */
export const newPassword = (length = 20): string => {
  let password = '';
  while (password.length < length) {
    for (const byte of randomBytes(length)) {
      // Bytes beyond the last whole multiple would make some letters likelier.
      if (byte < LETTERS_LIMIT && password.length < length) password += LETTERS[byte % LETTERS.length];
    }
  }
  return password;
};
