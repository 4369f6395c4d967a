import { expect, it } from 'vitest';
import { terminalLine } from './terminal-line.ts';

it('only colours of a log line are passed on to a terminal', () => {
  const line =
    '\u001b[0;32mok\u001b[0m\t[web]\u001b]0;title\u0007\u001b[2J\u001b]52;c;eA==\u001b\\ \u001bc\u0008done\u009b31m';
  expect(terminalLine(line, true)).toBe('\u001b[0;32mok\u001b[0m\t[web] done31m\u001b[0m');
  expect(terminalLine(line, false)).toBe('ok\t[web] done31m');
  expect(terminalLine('plain', true)).toBe('plain');
});
