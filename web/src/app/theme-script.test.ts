import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';

const SCRIPT = readFileSync(join(import.meta.dirname, '..', '..', 'public', 'theme.js'), 'utf8');

/** Runs the script of the page in a system whose theme can change. */
const run = (dark: boolean) => {
  const listeners: (() => void)[] = [];
  const system = { matches: dark, addEventListener: (_: string, listener: () => void) => listeners.push(listener) };
  vi.stubGlobal('matchMedia', () => system);
  new Function(SCRIPT)();
  return (to: boolean) => {
    system.matches = to;
    for (const listener of listeners) listener();
  };
};
const shown = () => document.documentElement.getAttribute('data-mantine-color-scheme');

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe('the theme before the page is loaded', () => {
  it('follows the system, also when the system changes', () => {
    const turn = run(true);
    expect(shown()).toBe('dark');
    turn(false);
    expect(shown()).toBe('light');
  });

  it('is the chosen theme, whatever the system setting is', () => {
    localStorage.setItem('dark_mode', '1');
    const turn = run(false);
    expect(shown()).toBe('dark');
    turn(true);
    turn(false);
    expect(shown()).toBe('dark');
  });
});
