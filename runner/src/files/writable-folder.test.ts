import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WritableFolder } from './writable-folder.ts';

const MODE = 0o777;

const makeFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'signalbox-writable-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

it('writes files and folders that only their owner can open', async () => {
  const { folder } = WritableFolder.untilReleased(makeFolder());
  const path = await folder.folder('secrets').write('key', 'secret');
  expect(readFileSync(path, 'utf8')).toBe('secret');
  expect(statSync(path).mode & MODE).toBe(0o600);
  expect(statSync(join(path, '..')).mode & MODE).toBe(0o700);
});

it('writes nothing after a folder was released, including folders that were opened before', async () => {
  const { folder, release } = WritableFolder.untilReleased(makeFolder());
  const inner = await folder.folder('secrets').create();
  release();
  for (const one of [folder, inner, inner.folder('deeper')]) {
    await expect(one.write('key', 'secret')).rejects.toThrow('belongs to the run user');
    await expect(one.create()).rejects.toThrow('belongs to the run user');
  }
});
