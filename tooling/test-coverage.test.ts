import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from './node24.mjs';
import { describeCoverage } from './test-coverage.mjs';

const folderOf = (shares: Record<string, readonly [covered: number, total: number]>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-coverage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = Object.entries(shares).map(([path, [covered, total]]) => [
    join(ROOT, path),
    { statements: { covered, total } },
  ]);
  writeFileSync(join(folder, 'coverage-summary.json'), JSON.stringify(Object.fromEntries(files)));
  return folder;
};

it('adds up the files of each package, and ignores other files', () => {
  const folder = folderOf({
    'server/src/a.ts': [90, 100],
    'server/src/b/c.ts': [100, 100],
    'runner/src/a.ts': [92, 100],
    'web/src/a.ts': [0, 100],
  });
  const { line, isEnough } = describeCoverage(folder);
  expect(line).toContain('server 95.0 % (floor ');
  expect(line).toContain('runner 92.0 % (floor ');
  expect(isEnough).toBe(true);
});

it('is too low when one package is below its minimum, or nothing was measured', () => {
  const files = { 'server/src/a.ts': [100, 100], 'runner/src/a.ts': [50, 100] } as const;
  expect(describeCoverage(folderOf(files)).isEnough).toBe(false);
  expect(describeCoverage(folderOf({})).isEnough).toBe(false);
  expect(describeCoverage('no such folder').isEnough).toBe(false);
});
