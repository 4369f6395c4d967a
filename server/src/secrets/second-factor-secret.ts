import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

const place = (id: number) => `second_factor:${id}` as const;

/** The secret that an authenticator app shares with us, in base32, as it is stored. */
export const sealSecondFactor = (master: MasterKey, id: number, secret: string): string =>
  encrypt(master, place(id), secret);

export const openSecondFactor = (master: MasterKey, row: { readonly id: number; readonly secret: string }): string =>
  decrypt(master, place(row.id), row.secret);
