import { expect, it } from 'vitest';
import { page, section, sectionsOf } from './report.ts';

const ROW = { what: 'Time', result: '2 s', baseline: '1 s', ratio: '2.0', aim: '< 3', isMet: true };
const MOMENT = { date: new Date('2026-11-21T20:15:30Z'), load: 0.456 };

it('writes each measure as a section that can be replaced separately', () => {
  const first = section({ rows: [ROW], how: 'So.' }, MOMENT);
  expect(first).toContain('| Time | 2 s | 1 s | 2.0 | < 3 | yes |');
  expect(first).toMatch(/\n\nSo\.\n\nMeasured at 2026-11-21 20:15 UTC, load 0\.5 in the minute before\.$/);
  const text = page(
    [['Processor', 'one']],
    [
      ['Whole time', first],
      ['Flood', 'Much.'],
    ],
  );
  expect(text).toContain('\n| Processor | one |\n\n## Whole time\n\n| Measure |');
  const sections = sectionsOf(text);
  expect([...sections]).toEqual([
    ['Whole time', first],
    ['Flood', 'Much.'],
  ]);
  expect(page([['Processor', 'one']], [...sections])).toBe(text);
});

it('lists the missed aims', () => {
  expect(section({ rows: [{ ...ROW, isMet: false }], how: '' }, MOMENT)).toContain('**no**');
});
