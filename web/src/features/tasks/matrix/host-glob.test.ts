import { expect, it } from 'vitest';
import { globOf } from './host-glob.ts';

it.each([
  ['web-*', ['web-', 'web-1'], ['db-web-1']],
  ['*b*1', ['b1', 'web-11'], ['web-12']],
  ['web-?', ['web-1'], ['web-', 'web-12']],
  ['web-[1-3x]', ['web-1', 'web-x'], ['web-4', 'web-']],
  ['web-[!1-3]', ['web-4'], ['web-2']],
  ['web-[]]', ['web-]'], ['web-[']],
  ['web-[1*', ['web-[1', 'web-[12'], ['web-1']],
  ['a.c*', ['a.c'], ['abc']],
])('the pattern %s matches whole names', (pattern, fitting, others) => {
  const test = globOf(pattern);
  expect(fitting.filter(test)).toEqual(fitting);
  expect(others.filter(test)).toEqual([]);
});

it('a pattern with many stars needs steps in proportion to the length of a name', () => {
  let steps = 0;
  const charAt = () => {
    steps += 1;
    return 'a';
  };
  const name = { length: 2_000, charAt } as unknown as string;
  expect(globOf('*?*?*?*?*?*?*?*?!x')(name)).toBe(false);
  expect(steps).toBeLessThan(20_000);
});
