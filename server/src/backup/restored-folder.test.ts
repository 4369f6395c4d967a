import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commitRestore, finishRestore, isRestorePending, makeRestoreFolder } from './restored-folder.ts';

const NAMES = ['encryption.key', 'logs.db', 'signalbox.db'];

const setUp = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-restored-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of [...NAMES, 'signalbox.db-wal', 'logs.db-shm']) writeFileSync(join(folder, name), 'before');
  return folder;
};

const texts = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

const AFTER = Object.fromEntries(NAMES.map((name) => [name, 'after']));

it('moves all files into the data folder and removes the journals of the old files', () => {
  const folder = setUp();
  const part = makeRestoreFolder(folder);
  for (const name of NAMES) writeFileSync(join(part, name), 'after');
  commitRestore(folder);
  expect(texts(folder)).toEqual(AFTER);
});

it.each([0, 1, 2, 3])('the next start finishes a restore that was killed after %i files', (moved) => {
  const folder = setUp();
  mkdirSync(join(folder, 'restored'));
  for (const [index, name] of NAMES.entries()) {
    writeFileSync(join(folder, index < moved ? name : join('restored', name)), 'after');
    // Moved by an earlier start, which was killed too: this journal belongs to the restored file.
    if (index < moved) for (const suffix of ['-wal', '-shm']) rmSync(join(folder, name + suffix), { force: true });
  }
  expect(isRestorePending(folder)).toBe(true);
  finishRestore(folder);
  finishRestore(folder);
  expect(texts(folder)).toEqual(AFTER);
});

it('an unfinished restore has no effect', () => {
  const folder = setUp();
  writeFileSync(join(makeRestoreFolder(folder), 'signalbox.db'), 'half');
  expect(isRestorePending(folder)).toBe(false);
  finishRestore(folder);
  expect(readFileSync(join(folder, 'signalbox.db'), 'utf8')).toBe('before');
  expect(readdirSync(makeRestoreFolder(folder))).toEqual([]);
  expect(existsSync(join(folder, 'signalbox.db-wal'))).toBe(true);
});
