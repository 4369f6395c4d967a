import type { Database } from '../database/database.ts';
import { conflict } from './api-error.ts';

/** Does `work`; where a unique value was taken, the caller is told so with `message` instead. */
export const orTaken = async <T>(database: Database, message: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw database.capabilities.isTaken(error) ? conflict(message) : error;
  }
};
