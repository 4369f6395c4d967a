import { useSyncExternalStore } from 'react';

const SECOND = 1000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  now = Date.now();
  for (const listener of [...listeners]) listener();
};

const listen = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, SECOND);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
};

/** The current time in milliseconds, updated each second. All components share one timer. */
export const useNow = (): number => useSyncExternalStore(listen, () => now);

/**
 * A value computed from the current time. Renders only when the value changes; `compute` runs each second and must be
 * cheap.
 */
export const useNowAs = <T extends string | number | undefined>(compute: (now: number) => T): T =>
  useSyncExternalStore(listen, () => compute(now));
