import { postgresCapabilities } from './dialects/postgres/postgres-capabilities.ts';
import { sqliteCapabilities } from './dialects/sqlite/sqlite-capabilities.ts';

/** One sentence about an error of a database that is away, locked, full or broken; undefined for every other error. */
export const whyNotUsed = (error: Error): string | undefined => {
  const all = [sqliteCapabilities, postgresCapabilities];
  if (all.some((one) => one.isFull(error))) return 'The disk of the database is full: make room, then try again.';
  if (all.some((one) => one.isUnavailable(error)))
    return `The database cannot be used now (${error.message}): try again.`;
  return all.map((one) => one.whyNotOpened(error)).find((why) => why !== undefined);
};
