import { postgresCapabilities } from './dialects/postgres/postgres-capabilities.ts';
import { sqliteCapabilities } from './dialects/sqlite/sqlite-capabilities.ts';

/** Returns one sentence about a database that is unavailable, locked, full or broken; undefined for other errors. */
export const whyNotUsed = (error: Error): string | undefined => {
  const all = [sqliteCapabilities, postgresCapabilities];
  if (all.some((one) => one.isFull(error))) return 'The disk of the database is full. Free disk space, then try again.';
  if (all.some((one) => one.isUnavailable(error)))
    return `The database cannot be used now (${error.message}): try again.`;
  return all.map((one) => one.whyNotOpened(error)).find((why) => why !== undefined);
};
