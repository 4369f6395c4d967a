import { z } from 'zod';
import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

/** What is encrypted of a receiver of alerts. The address is as good as a password: whoever has it may post. */
export const ReceiverAddress = z.object({ url: z.string(), secret: z.string() });
export type ReceiverAddress = z.infer<typeof ReceiverAddress>;

const place = (id: number) => `alert_receiver:${id}` as const;

export const sealReceiver = (master: MasterKey, id: number, address: ReceiverAddress): string =>
  encrypt(master, place(id), JSON.stringify({ url: address.url, secret: address.secret }));

export const openReceiver = (
  master: MasterKey,
  row: { readonly id: number; readonly secret: string },
): ReceiverAddress => ReceiverAddress.parse(JSON.parse(decrypt(master, place(row.id), row.secret)));
