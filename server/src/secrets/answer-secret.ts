import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

const context = (id: number) => `schedule_secret:${id}` as const;

/** Encrypts a secret answer of a schedule for its own row. */
export const encryptScheduleSecret = (master: MasterKey, id: number, value: string): string =>
  encrypt(master, context(id), value);

export const decryptScheduleSecret = (
  master: MasterKey,
  row: { readonly id: number; readonly secret: string },
): string => decrypt(master, context(row.id), row.secret);
