import type { Database } from '../database/database.ts';
import { ApiError, conflict } from './api-error.ts';

/** Does `work`; where a unique value was taken, the caller is told so instead. */
export const orTaken = async <T>(database: Database, message: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw database.capabilities.isTaken(error) ? conflict(message) : error;
  }
};

/** Does `work` that deletes; where something still refers to what it deletes, the caller is told so instead. */
export const orInUse = async <T>(database: Database, noun: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!database.capabilities.isDangling(error)) throw error;
    throw new ApiError(
      'in_use',
      `The ${noun.toLowerCase()} is in use: delete what uses it first, or let that use something else.`,
    );
  }
};
