import { useSyncExternalStore } from 'react';

/** Calls the listener when the browser loses the network or has it again. */
export const onNetwork = (listener: () => void): (() => void) => {
  const types = ['online', 'offline'] as const;
  for (const type of types) addEventListener(type, listener);
  return () => {
    for (const type of types) removeEventListener(type, listener);
  };
};

/** Whether the browser has no network. */
export const isOffline = (): boolean => !navigator.onLine;

export const useIsOffline = (): boolean => useSyncExternalStore(onNetwork, isOffline);
