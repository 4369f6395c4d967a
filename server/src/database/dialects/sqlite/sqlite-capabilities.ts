import { sql } from 'kysely';
import type { Capabilities } from '../capabilities.ts';
import { copyFile } from './sqlite-copy.ts';

const CONSTRAINT_UNIQUE = 2067;
const CONSTRAINT_PRIMARY_KEY = 1555;
const CONSTRAINT_FOREIGN_KEY = 787;
const BUSY = 5;
const CANNOT_OPEN = 14;
const IO_ERROR = 10;
const DISK_FULL = 13;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const errcode = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) : undefined;

const isOneOf = (error: unknown, ...codes: number[]): boolean => codes.includes((errcode(error) ?? -1) & 0xff);

export const sqliteCapabilities: Capabilities = {
  name: 'sqlite',
  // `begin immediate` already lets one transaction in at a time.
  lock: () => Promise.resolve(),
  // One server has the folder.
  alone: (_db, _number, work) => work(),
  isTaken: (error) => [CONSTRAINT_UNIQUE, CONSTRAINT_PRIMARY_KEY].includes(errcode(error) ?? -1),
  isUnavailable: (error) => isOneOf(error, BUSY, CANNOT_OPEN, DISK_FULL, IO_ERROR),
  isFull: (error) => isOneOf(error, DISK_FULL),
  isDangling: (error) => errcode(error) === CONSTRAINT_FOREIGN_KEY,
  // One writer at a time: nobody can stand in its way.
  isDeadlock: () => false,
  whyNotOpened: (error) =>
    error instanceof Error && isOneOf(error, BUSY, CANNOT_OPEN, DISK_FULL, CORRUPT, NOT_A_DATABASE)
      ? `The database in the data folder cannot be opened (${error.message}).`
      : undefined,
  columns: { id: 'integer', bytes: 'blob', long: 'integer' },
  walksForRare: false,
  logsApart: true,
  copyBefore: (db, step) => copyFile(db, step),
  tidy: async (db) => {
    await sql`pragma incremental_vacuum(200)`.execute(db);
  },
};
