import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { storage } from '../browser/storage.ts';

/** Stores the theme as 1 for dark and 0 for light; nothing is stored while the system decides. */
export const colourSchemeManager = (): MantineColorSchemeManager => {
  let stop = (): void => undefined;
  const stored = (): MantineColorScheme => {
    const dark = storage.dark();
    return dark === undefined ? 'auto' : dark ? 'dark' : 'light';
  };
  return {
    get: stored,
    set: (value) => (value === 'auto' ? storage.clearDark() : storage.setDark(value === 'dark')),
    subscribe: (onUpdate) => {
      const listener = () => onUpdate(stored());
      window.addEventListener('storage', listener);
      stop = () => window.removeEventListener('storage', listener);
    },
    unsubscribe: () => stop(),
    clear: storage.clearDark,
  };
};
