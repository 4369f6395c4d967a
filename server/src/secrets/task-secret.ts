import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

const context = (id: number) => `task_secret:${id}` as const;

/** Encrypts a secret answer of a task for its own row. */
export const encryptTaskSecret = (master: MasterKey, id: number, value: string): string =>
  encrypt(master, context(id), value);

export const decryptTaskSecret = (master: MasterKey, row: { readonly id: number; readonly secret: string }): string =>
  decrypt(master, context(row.id), row.secret);
