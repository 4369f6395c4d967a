import { hkdfSync } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

const KEY_BYTES = 32;

/** One run under one lease. */
export interface Lease {
  readonly taskId: number;
  readonly epoch: number;
}

/** The keys of a lease, the one to seal with first. */
export type SealKeys = (lease: Lease) => readonly [string, ...string[]];

/**
 * Keys for what a runner keeps of a lease's secrets once the run has ended, in base64. They are nowhere stored: the same
 * master key makes the same ones. The others count while the master key
 * is changed.
 */
export const sealKeysOf =
  ({ bytes, others }: MasterKey): SealKeys =>
  ({ taskId, epoch }) => {
    const make = (master: Buffer): string =>
      Buffer.from(hkdfSync('sha256', master, '', `signalbox run ${taskId}-${epoch}`, KEY_BYTES)).toString('base64');
    return [make(bytes), ...others.map((other) => make(other.bytes))];
  };
