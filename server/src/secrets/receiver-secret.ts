import { z } from 'zod';
import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

/**
 * The encrypted part of an alert receiver. The address is as secret as a password, because anyone who knows it can
 * post.
 */
export const ReceiverAddress = z.object({ url: z.string(), secret: z.string() });
export type ReceiverAddress = z.infer<typeof ReceiverAddress>;

const context = (id: number) => `alert_receiver:${id}` as const;

export const encryptReceiver = (master: MasterKey, id: number, address: ReceiverAddress): string =>
  encrypt(master, context(id), JSON.stringify({ url: address.url, secret: address.secret }));

export const decryptReceiver = (
  master: MasterKey,
  row: { readonly id: number; readonly secret: string },
): ReceiverAddress => ReceiverAddress.parse(JSON.parse(decrypt(master, context(row.id), row.secret)));
