import { describe, expect, it } from 'vitest';
import { parseJsonPath, valueAt } from './json-path.ts';

const BODY = JSON.parse(
  '{"release":{"tag_name":"v2","a.b":1},"commits":[{"id":"x"}],"__proto__":{"own":true},"none":null}',
);
const at = (path: string): unknown => valueAt(BODY, parseJsonPath(path) ?? ['not a path']);

describe('a path in the body of a call', () => {
  it.each([
    ['$.release.tag_name', 'v2'],
    ['release.tag_name', 'v2'],
    ["$.release['a.b']", 1],
    ['$["commits"][0].id', 'x'],
    ['commits.0.id', 'x'],
    ['[0]', undefined],
    ['$', BODY],
    ['$.none', null],
    ['$.none.x', undefined],
    ['commits[1]', undefined],
    ['commits.length', undefined],
    ['$.constructor', undefined],
    ['$.release.toString', undefined],
    ['$.__proto__.own', true],
  ])('%s leads to own members only', (path, expected) => {
    expect(at(path)).toEqual(expected);
  });

  it.each(['', '$.', '$..a', 'a..b', 'a[', 'a[x]', 'a[-1]', 'a[?(@.b)]', '$.*', "a['b", 'a b', '$x', '.a'.repeat(33)])(
    '%j is no path',
    (path) => {
      expect(path === '$.*' ? at(path) : parseJsonPath(path)).toBeUndefined();
    },
  );
});
