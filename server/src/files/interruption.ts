import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `clean` when a signal ends this process. The exit code is 128 plus the number of the signal, as in a shell.
 * @returns a function that removes the handler
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
