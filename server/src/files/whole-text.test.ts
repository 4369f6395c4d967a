import { spawnSync } from 'node:child_process';
import { linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeWholeText } from './whole-text.ts';

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-text-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Writes a text on a full disk. Returns the error. */
const writeOnFullDisk = (file: string): string => {
  const program = `
    import { renameSync } from 'node:fs';
    import { writeWholeText } from ${JSON.stringify(new URL('./whole-text.ts', import.meta.url).href)};
    try { writeWholeText(${JSON.stringify(file)}, 'new', renameSync); } catch ({ code }) { process.exitCode = code === 'EFBIG' ? 3 : 4; }
  `;
  const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`;
  const { status, stderr } = spawnSync('/bin/sh', [
    '-c',
    limited,
    process.execPath,
    '--input-type=module',
    '-e',
    program,
  ]);
  return status === 3 ? 'no space' : `${status} ${stderr.toString('utf8')}`;
};

it('a short text is readable by its user only, and replaces another file only where that is allowed', () => {
  const folder = newFolder();
  const file = join(folder, 'text');
  writeWholeText(file, 'one', linkSync);
  expect(() => writeWholeText(file, 'two', linkSync)).toThrow(/EEXIST/);
  expect(readFileSync(file, 'utf8')).toBe('one');
  writeWholeText(file, 'three', renameSync);
  expect(readFileSync(file, 'utf8')).toBe('three');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['text']);
});

it('a full disk leaves the old text and no partial file', () => {
  const folder = newFolder();
  const file = join(folder, 'text');
  expect(writeOnFullDisk(file)).toBe('no space');
  expect(readdirSync(folder)).toEqual([]);
  writeWholeText(file, 'old', renameSync);
  expect(writeOnFullDisk(file)).toBe('no space');
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['text']);
});
