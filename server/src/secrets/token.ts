import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A new unguessable token for a session or a runner. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored form of a token. A plain hash is enough, because a token has 256 random bits. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LETTERS_LIMIT = 256 - (256 % LETTERS.length);

/** Creates a password that can be read from a terminal: 20 letters and digits that cannot be confused. */
export const newPassword = (length = 20): string => {
  let password = '';
  while (password.length < length) {
    for (const byte of randomBytes(length)) {
      // Larger bytes are skipped, because they would make some letters more likely.
      if (byte < LETTERS_LIMIT && password.length < length) password += LETTERS[byte % LETTERS.length];
    }
  }
  return password;
};
