import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeOpenApi } from '../make-openapi.ts';
import type { Json } from '../schemas.ts';
import { findUnnamed, hasVersion } from './changelog.ts';
import { findBreaks } from './find-breaks.ts';

const FOLDER = new URL('../../../docs/api/', import.meta.url);
const changelog = readFileSync(new URL('changelog.md', FOLDER), 'utf8');
const released = readdirSync(new URL('released/', FOLDER))
  .map((name) => name.replace(/\.json$/, ''))
  .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
const documentOf = (version: string): Json =>
  JSON.parse(readFileSync(new URL(`released/${version}.json`, FOLDER), 'utf8')) as Json;

describe('the changelog of the API', () => {
  it('has every released version, and each version has its document', () => {
    expect(released.length).toBeGreaterThan(0);
    for (const version of released) {
      expect(hasVersion(changelog, version), version).toBe(true);
      expect((documentOf(version).info as Json).version).toBe(version);
    }
  });

  it('names every change since the last release that breaks clients', () => {
    const breaks = findBreaks(documentOf(released.at(-1) ?? ''), makeOpenApi());
    expect(
      findUnnamed(breaks, changelog),
      'clients of the last release would fail: undo these, or name each of them in docs/api/changelog.md under Unreleased',
    ).toEqual([]);
  });

  it('is checked: a removed call would be reported', () => {
    const before = documentOf(released.at(-1) ?? '');
    const { '/project/{project_id}/tasks': _gone, ...paths } = makeOpenApi().paths as Json;
    const unnamed = findUnnamed(findBreaks(before, { ...makeOpenApi(), paths }), changelog);
    expect(unnamed.map(({ location }) => location)).toEqual(expect.arrayContaining(['createTask', 'listTasks']));
  });
});

describe('a breaking change', () => {
  const breaks = [
    { location: 'Task.limit', what: 'is no longer answered' },
    { location: 'createTask', what: 'was removed' },
  ];
  const text =
    '# Changes\n\n## Unreleased\n- `Task.limit` was removed: read `Task.hosts`.\n\n## 0.1.0\n- `createTask`\n';

  it('must be named by its location under Unreleased', () => {
    expect(findUnnamed(breaks, text)).toEqual([breaks[1]]);
    expect(findUnnamed(breaks, text.replace('- `Task', '- `createTask`\n- `Task'))).toEqual([]);
    expect(() => findUnnamed(breaks, '# Changes\n')).toThrow('Unreleased');
  });
});
