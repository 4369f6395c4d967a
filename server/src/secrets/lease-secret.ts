import { hkdfSync } from 'node:crypto';
import { decrypt, encrypt } from './cipher.ts';
import type { MasterKey } from './master-key.ts';

const KEY_BYTES = 32;

/** The table has one row. */
export const LEASE_SECRET_ID = 1;
const CONTEXT = `lease_secret:${LEASE_SECRET_ID}` as const;

const derive = (from: Buffer, what: string): Buffer =>
  Buffer.from(hkdfSync('sha256', from, '', `signalbox ${what}`, KEY_BYTES));

/** Derives the secret from the encryption key. Every server with the same key derives the same secret. */
export const makeLeaseSecret = (master: MasterKey): Buffer => derive(master.bytes, 'leases');

export const encryptLeaseSecret = (master: MasterKey, secret: Buffer): string =>
  encrypt(master, CONTEXT, secret.toString('base64'));

export const decryptLeaseSecret = (master: MasterKey, stored: string): Buffer =>
  Buffer.from(decrypt(master, CONTEXT, stored), 'base64');

/** Returns the key of one run under one lease, 32 bytes in base64. It is derived each time and not stored. */
export const leaseKey = (secret: Buffer, taskId: number, epoch: number): string =>
  derive(secret, `lease ${taskId}-${epoch}`).toString('base64');
