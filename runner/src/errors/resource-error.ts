import { setTimeout as delay } from 'node:timers/promises';

const RESOURCE_CODES = ['EMFILE', 'ENFILE', 'ENOMEM'];

/** Delay before another attempt, in milliseconds. */
const RETRY_MS = 100;

/** Whether an error comes from a limit of this process, such as open files, and not from the file that it reads. */
export const isResourceError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && RESOURCE_CODES.includes(String(error.code));

/** Repeats a check until this process can open files again. Any other error is thrown. */
export const retryOnResourceError = async <T>(check: () => T | Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!isResourceError(error)) throw error;
      await delay(RETRY_MS);
    }
  }
};
