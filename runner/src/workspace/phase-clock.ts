import type { RunLog } from './run-log.ts';

/** Says in the log that a phase has come to its end, and how long it took since the one before. */
export type PhaseClock = (what: string) => void;

/** Seconds as the log says them. */
export const secondsText = (seconds: number): string => `${seconds.toFixed(1)} s`;

export const phaseClock = (log: RunLog): PhaseClock => {
  let since = performance.now();
  return (what) => {
    const now = performance.now();
    log.line(`${what} in ${secondsText((now - since) / 1000)}.`);
    since = now;
  };
};
