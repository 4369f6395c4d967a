import type { ErrorMessage } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { ApiError } from './api-error.ts';

/** Runs `work`. @throws `error` when a unique value is taken */
export const orTaken = async <T>(database: Database, error: () => ErrorMessage, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw database.capabilities.isTaken(thrown) ? ApiError.of(error()) : thrown;
  }
};

/** Runs `work`, which deletes a row. @throws `error` when another row refers to it */
export const orInUse = async <T>(database: Database, error: () => ErrorMessage, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw database.capabilities.isDangling(thrown) ? ApiError.of(error()) : thrown;
  }
};
