import { hkdfSync } from 'node:crypto';
import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

const KEY_BYTES = 32;

/** There is one, in one row. */
export const LEASE_SECRET_ID = 1;
const PLACE = `lease_secret:${LEASE_SECRET_ID}` as const;

const derive = (from: Buffer, what: string): Buffer =>
  Buffer.from(hkdfSync('sha256', from, '', `signalbox ${what}`, KEY_BYTES));

/**
 * What the keys of all leases are made from, where it is made under this encryption key: the same by every server that
 * has the key, whenever it is made.
 */
export const makeLeaseSecret = (master: MasterKey): Buffer => derive(master.bytes, 'leases');

export const sealLeaseSecret = (master: MasterKey, secret: Buffer): string =>
  encrypt(master, PLACE, secret.toString('base64'));

export const openLeaseSecret = (master: MasterKey, stored: string): Buffer =>
  Buffer.from(decrypt(master, PLACE, stored), 'base64');

/** The key of one run under one lease, 32 bytes in base64: always the same, and nowhere stored. */
export const leaseKey = (secret: Buffer, taskId: number, epoch: number): string =>
  derive(secret, `lease ${taskId}-${epoch}`).toString('base64');
