import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Masker } from '../../output/masker.ts';
import { RunFolder } from '../folder/run-folder.ts';
import { keepOrphanedLog } from './orphaned-log.ts';

it('keeps the log of an orphaned run, also if it cannot be opened at first', async () => {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-orphaned-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const folder = new RunFolder(path, { root: join(path, 'places'), user: undefined, env: {} }, 1, 1);
  // A file with the name of the folder: paths below it fail with another error than "does not exist".
  writeFileSync(folder.path, '');
  const [filled, link] = [join(path, 'filled'), join(path, 'link')];
  mkdirSync(filled);
  writeFileSync(join(filled, 'output.log'), 'one\n');
  symlinkSync(filled, link);
  const kept = keepOrphanedLog(folder, new Masker([]), join(path, 'orphaned'));
  // The first attempt creates its staging file before it opens the log.
  await expect.poll(() => readFileSync(join(path, 'orphaned', '1-1.log.new'), 'utf8')).toBe('');
  // One rename, so that the path always exists.
  renameSync(link, folder.path);
  expect(readFileSync(await kept, 'utf8')).toBe('one\n');
});
