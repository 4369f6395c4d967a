import { expect, it } from 'vitest';
import { rawText } from './plain-text.ts';

it('plain text has a prefix before lines that Signalbox wrote', () => {
  expect(rawText([0, 'Playbook run for 1.0 s.', 'runner'])).toBe('[signalbox] Playbook run for 1.0 s.');
});

it.each([
  ['output as it is', 'ok: [web-01]', 'ok: [web-01]'],
  ['output that imitates a line of Signalbox', '[signalbox] Stopped.', '\\[signalbox] Stopped.'],
  ['output that imitates an escaped line', '\\[signalbox] Stopped.', '\\\\[signalbox] Stopped.'],
  ['a coloured imitation', '\u001b[31m[signalbox]\u001b[0m Stopped.', '\\[signalbox] Stopped.'],
  ['an imitation after an invisible character', '\u200b[signalbox] Stopped.', '\\\u200b[signalbox] Stopped.'],
  ['an imitation with an invisible character inside', '[sig\u00adnalbox] Stopped.', '\\[sig\u00adnalbox] Stopped.'],
  ['an imitation after a Unicode line break', 'ok\u2028[signalbox] Stopped.', 'ok [signalbox] Stopped.'],
])('plain text of %s', (_, text, expected) => {
  expect(rawText([0, text])).toBe(expected);
});
