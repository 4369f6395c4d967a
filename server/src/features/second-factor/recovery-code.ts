import { randomBytes } from 'node:crypto';
import { hashToken } from '../../secrets/token.ts';

const COUNT = 10;
/** 32 letters and digits that cannot be confused, so each holds 5 bits. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 16;
const GROUP = 4;

const newRecoveryCode = (): string => {
  const letters = [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return (letters.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-');
};

/** Creates ten codes of 80 random bits, such as `abcd-efgh-jkmn-2345`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newRecoveryCode);

/** Hashes a normalized code. A fast hash is enough, because 80 bits cannot be guessed. */
export const hashRecoveryCode = (bare: string): string => hashToken(bare);
