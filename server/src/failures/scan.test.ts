import { expect, it } from 'vitest';
import { scan } from './scan.ts';

const textsOf = (text: string, kind: string) =>
  scan(text).flatMap((token) => (token.kind === kind ? [token.text] : []));

it('finds quoted names and commands, and reads phrases and apostrophes as terms', () => {
  expect(textsOf("can't open “a b” or b'x' with 'rm -r all files'", 'quoted')).toEqual([
    '“a b”',
    "'x'",
    "'rm -r all files'",
  ]);
  expect(textsOf("it reports 'no such file' and “never closed", 'quoted')).toEqual([]);
  expect(textsOf("it reports 'no such file' here", 'term')).toEqual(['it', 'reports', 'no', 'such', 'file', 'here']);
});

it('loses no character', () => {
  const text = 'a://b(c) “x” ‘y «z» x=1, :: "p q r s" \n\t`k`.';
  expect(
    scan(text)
      .map((token) => token.text)
      .join(''),
  ).toBe(text);
});

/** With a search to the end of the text for each character, the first of these texts would take more than a minute. */
it.each([
  ['quotes without a closing one', '“', ''],
  ['quotes whose closing one ends no quote', '“', '”x'],
  ['quoted phrases within each other', '“a b c ', '”'],
  ['quotes with an option at the end', '« a ', ' -x»'],
  ['equal quotes', "'", ''],
  ['addresses', 'a.://', ''],
])('takes time in proportion to the length of %s', (_, part, end) => {
  const before = process.cpuUsage();
  scan(part.repeat(100_000 / part.length) + end);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});
