import { randomBytes } from 'node:crypto';
import { hashToken } from '../../secrets/token.ts';

const COUNT = 10;
/** 32 letters and digits that no one mistakes for another: each is 5 bits. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 16;
const GROUP = 4;

const newRecoveryCode = (): string => {
  const letters = [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return (letters.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-');
};

/** Ten codes of 80 random bits, as people write them down: `abcd-efgh-jkmn-2345`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: COUNT }, newRecoveryCode);

/** What is stored of a code, of which blanks, hyphens and capitals were taken. There is nothing to guess in 80 bits. */
export const hashRecoveryCode = (bare: string): string => hashToken(bare);
