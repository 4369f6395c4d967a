import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Has something half made taken away when a signal ends this process, which then ends as a shell says of such a program:
 * with 128 and the number of the signal.
 * @returns to be called when there is nothing left to take away
 */
export const cleanUpOnSignal = (clean: () => void): (() => void) => {
  const end = (signal: NodeJS.Signals): void => {
    try {
      clean();
    } finally {
      process.exit(128 + constants.signals[signal]);
    }
  };
  for (const signal of SIGNALS) process.once(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
};
