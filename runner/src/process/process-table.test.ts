import { expect, it } from 'vitest';
import { signalProcess } from './process-table.ts';

it.each([0, -1, 1, -process.pid, 1.5, Number.NaN])('signals no process for the number %s', (pid) => {
  // Signal 0 only checks whether the process exists.
  expect(signalProcess(pid, 0)).toBe(false);
});

it('signals the process that runs the test', () => {
  expect(signalProcess(process.pid, 0)).toBe(true);
});
