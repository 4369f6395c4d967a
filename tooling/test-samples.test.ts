import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeSamples } from './test-samples.mjs';

const fileOf = (...lines: object[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-samples-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'samples.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
};

it('adds up the samples of one group', () => {
  const file = fileOf(
    { name: 'databases: keys', tested: 1, all: 2 },
    { name: 'calls by role: rights', tested: 70, all: 150 },
    { name: 'databases: users', tested: 1, all: 2 },
  );
  expect(describeSamples(file)).toBe(
    'Tested in part (npm run test:full tests all): calls by role 70 of 150, databases 2 of 4',
  );
});

it('reports that no test drew a sample', () => {
  expect(describeSamples(fileOf())).toBe('Nothing was tested in part');
  expect(describeSamples('no such file')).toBe('Nothing was tested in part');
});
