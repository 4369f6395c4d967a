import { describe, expect, it } from 'vitest';
import { parseJsonPath } from '../../json-path.ts';
import { linesOf } from './json-lines.ts';

const BODY = `{
  "action": "pub\\"lished }",
  "release": {
    "tag_name" : "v2.14.0",
    "assets": [ { "size": 1 }, [2,
      3], "four" ],
    "draft":false
  },
  "action": null
}`;

const lines = (path: string, body = BODY) => linesOf(body, parseJsonPath(path) ?? []);

describe('the lines of a value in a JSON text', () => {
  it('are found for members, items and whole objects', () => {
    expect(lines('$.release.tag_name')).toEqual([4, 4]);
    expect(lines('$.release')).toEqual([3, 8]);
    expect(lines('$.release.assets[0].size')).toEqual([5, 5]);
    expect(lines('$.release.assets[1]')).toEqual([5, 6]);
    expect(lines('$.release.assets[2]')).toEqual([6, 6]);
    expect(lines('$.release.draft')).toEqual([7, 7]);
    expect(lines('$')).toEqual([1, 10]);
  });

  it('are those of the last of several members with one name, as when the text is parsed', () => {
    expect(lines('$.action')).toEqual([9, 9]);
  });

  it('are none where there is no value', () => {
    for (const path of ['$.missing', '$.release.assets[3]', '$.action.x', '$.release.assets.size'])
      expect(lines(path)).toBeUndefined();
    expect(lines('$.a', '"text"')).toBeUndefined();
  });

  it('are found in a long text within the time that a call may take', () => {
    const body = `${'{"a":'.repeat(30)}"${'\\"'.repeat(23_000)}"${'}'.repeat(30)}`;
    const began = performance.now();
    expect(lines(`$${'.a'.repeat(30)}`, body)).toEqual([1, 1]);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
