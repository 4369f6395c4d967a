import type { RunLog } from './run-log.ts';

/** Writes into the log that a phase has ended, and the time since the phase before. */
export type PhaseClock = (what: string) => void;

/** Seconds as the log shows them. */
export const secondsText = (seconds: number): string => `${seconds.toFixed(1)} s`;

export const phaseClock = (log: RunLog): PhaseClock => {
  let since = performance.now();
  return (what) => {
    const now = performance.now();
    log.line(`${what} in ${secondsText((now - since) / 1000)}.`);
    since = now;
  };
};
