import type { Database } from '../database/database.ts';
import { ApiError, conflict } from './api-error.ts';

/** Does `work`; where a unique value was taken, or what it refers to is gone, the caller is told so instead. */
export const orTaken = async <T>(database: Database, message: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const { isTaken, isDangling } = database.capabilities;
    if (isTaken(error)) throw conflict(message);
    throw isDangling(error) ? conflict('Something that this belongs to was deleted meanwhile.') : error;
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
