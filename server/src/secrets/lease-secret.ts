import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

const KEY_BYTES = 32;

/** There is one, in one row. */
export const LEASE_SECRET_ID = 1;
const PLACE = `lease_secret:${LEASE_SECRET_ID}` as const;

/** What the keys of all leases are made from. */
export const newLeaseSecret = (): Buffer => randomBytes(KEY_BYTES);

export const sealLeaseSecret = (master: MasterKey, secret: Buffer): string =>
  encrypt(master, PLACE, secret.toString('base64'));

export const openLeaseSecret = (master: MasterKey, stored: string): Buffer =>
  Buffer.from(decrypt(master, PLACE, stored), 'base64');

/** The key of one run under one lease, 32 bytes in base64: always the same, and nowhere stored. */
export const leaseKey = (secret: Buffer, taskId: number, epoch: number): string =>
  Buffer.from(hkdfSync('sha256', secret, '', `signalbox run ${taskId}-${epoch}`, KEY_BYTES)).toString('base64');
