import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

const context = (id: number) => `webhook:${id}` as const;

/** Encrypts the secret of a webhook for its own row. */
export const encryptWebhookSecret = (master: MasterKey, id: number, value: string): string =>
  encrypt(master, context(id), value);

export const decryptWebhookSecret = (
  master: MasterKey,
  row: { readonly id: number; readonly secret: string },
): string => decrypt(master, context(row.id), row.secret);
