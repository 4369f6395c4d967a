import { setTimeout as delay } from 'node:timers/promises';

const OWN_FAULTS = ['EMFILE', 'ENFILE', 'ENOMEM'];

/** When what could not be looked at is tried again, in milliseconds. */
const AGAIN_MS = 100;

/** Whether it is a fault of this process, not of what it looks at: how that stands is not known. */
export const isResourceError = (fault: unknown): boolean =>
  fault instanceof Error && 'code' in fault && OWN_FAULTS.includes(String(fault.code));

/** What a look tells, as soon as this process can open files again; any other fault is thrown. */
export const retryOnResourceError = async <T>(look: () => T | Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await look();
    } catch (fault) {
      if (!isResourceError(fault)) throw fault;
      await delay(AGAIN_MS);
    }
  }
};
