import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

const context = (id: number) => `second_factor:${id}` as const;

/** Encrypts the base32 secret of an authenticator app for its own row. */
export const encryptSecondFactor = (master: MasterKey, id: number, secret: string): string =>
  encrypt(master, context(id), secret);

export const decryptSecondFactor = (master: MasterKey, row: { readonly id: number; readonly secret: string }): string =>
  decrypt(master, context(row.id), row.secret);
