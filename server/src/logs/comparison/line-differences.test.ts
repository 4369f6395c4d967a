import { expect, it } from 'vitest';
import { WorkSlice } from '../../work-slice.ts';
import { addLines, type LineKinds, lineDifferences } from './line-differences.ts';

const kinds = async (...lines: string[]): Promise<LineKinds> => {
  const found: LineKinds = new Map();
  await addLines(found, lines, 1, { hosts: new Set(['a', 'b', 'c']), slice: new WorkSlice() });
  return found;
};
const compare = async (earlier: string[], later: string[]) => {
  const { lines, more } = lineDifferences(await kinds(...earlier), await kinds(...later));
  return { lines: lines.map(({ of, text, count, skipped }) => `${of} ${text} ${count} ${skipped}`), more };
};

it('only lines that one run has are shown, once for all hosts, with the lines next to them', async () => {
  const earlier = ['TASK [x]', 'ok: [a]', 'ok: [b]', 'one', 'two', 'end'];
  const later = ['TASK [x]', 'fatal: [b]: no', 'fatal: [a]: no', 'ok: [c]', 'one', 'two', 'end'];
  expect(await compare(earlier, later)).toEqual({
    lines: ['both TASK [x] 1 0', 'later fatal: [b]: no 2 0', 'both ok: [c] 1 0'],
    more: 0,
  });
});

it('the order of hosts and their number are no difference', async () => {
  expect(await compare(['ok: [a]', 'changed: [b]', ''], ['changed: [a]', 'ok: [b]', 'ok: [c]'])).toEqual({
    lines: [],
    more: 0,
  });
});

it('lines of the earlier run are where they were, and the lines between are counted', async () => {
  const same = ['p', 'q', 'r', 's', 't'];
  expect((await compare(['gone', ...same, 'last'], [...same, 'new'])).lines).toEqual([
    'earlier gone 1 0',
    'both p 1 0',
    'both t 1 3',
    'earlier last 1 0',
    'later new 1 0',
  ]);
});

it('the number of lines is limited, and the others are counted', async () => {
  const many = Array.from({ length: 100 }, (_, at) => `line ${'x'.repeat(at + 1)}`);
  const { lines, more } = await compare([], many);
  expect([lines.length, more]).toEqual([40, 60]);
});
