import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

const context = (id: number) => `environment_secret:${id}` as const;

/** Encrypts the value of a secret variable for its own row. */
export const encryptVariable = (master: MasterKey, id: number, value: string): string =>
  encrypt(master, context(id), value);

export const decryptVariable = (master: MasterKey, row: { readonly id: number; readonly secret: string }): string =>
  decrypt(master, context(row.id), row.secret);
