import { sql } from 'kysely';
import type { Capabilities } from '../capabilities.ts';

const CONSTRAINT_UNIQUE = 2067;
const CONSTRAINT_PRIMARY_KEY = 1555;
const BUSY = 5;
const CANNOT_OPEN = 14;
const DISK_FULL = 13;

const errcode = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) : undefined;

export const sqliteCapabilities: Capabilities = {
  name: 'sqlite',
  // `begin immediate` already lets one transaction in at a time.
  lock: () => Promise.resolve(),
  isTaken: (error) => [CONSTRAINT_UNIQUE, CONSTRAINT_PRIMARY_KEY].includes(errcode(error) ?? -1),
  isUnavailable: (error) => [BUSY, CANNOT_OPEN, DISK_FULL].includes((errcode(error) ?? -1) & 0xff),
  columns: { id: 'integer', bytes: 'blob', long: 'integer' },
  logsApart: true,
  tidy: async (db) => {
    await sql`pragma incremental_vacuum(200)`.execute(db);
  },
};
