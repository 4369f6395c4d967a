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

/** The time in milliseconds, told anew each second; one timer serves the whole page. */
export const useNow = (): number => useSyncExternalStore(listen, () => now);

/** What is told from the time, drawn anew only when that changes. Cheap: it is asked for each second. */
export const useNowAs = <T extends string | number | undefined>(tell: (now: number) => T): T =>
  useSyncExternalStore(listen, () => tell(now));
