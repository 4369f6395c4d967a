import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@signalbox/contract/limits';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Cache, CacheCleaner, type CacheLimits, recordUse } from './cache-cleaner.ts';

let folder: string;
let notes: string[];
const used = new Set<string>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-cache-'));
  notes = [];
  used.clear();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const add = async (name: string, daysAgo: number, bytes = 1000) => {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'content'), Buffer.alloc(bytes));
  await recordUse(path);
  const then = new Date(Date.now() - daysAgo * DAY_MS);
  utimesSync(join(path, '.used'), then, then);
  return path;
};

const makeCleaner = (limits: CacheLimits, more: Partial<Cache> = {}) => {
  const exclusively: Cache['exclusively'] = (_path, work) => work();
  const isStaging = (name: string) => name.endsWith('.new');
  const cache = { folder, what: 'the mirror', isStaging, exclusively, ...more };
  return new CacheCleaner({
    caches: [cache],
    limits,
    inUse: () => Promise.resolve(used),
    log: (text) => notes.push(text),
  });
};

describe('cleaning the caches of a runner', () => {
  it('removes and logs entries that were not used for a long time', async () => {
    const [old, young] = [await add('old', 31), await add('young', 29)];
    await makeCleaner({ days: 30, bytes: 0 }).clean();
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
    expect(notes).toEqual(['Removed the mirror old (0.0 MB), unused for 30 days.']);
  });

  it('removes the least recently used entries until the rest fits', async () => {
    const paths = [await add('b', 3, 4000), await add('a', 9, 4000), await add('c', 1, 4000)];
    await makeCleaner({ days: 0, bytes: 9000 }).clean();
    expect(paths.map((path) => existsSync(path))).toEqual([true, false, true]);
    expect(notes).toEqual(['Removed the mirror a (0.0 MB), to free space.']);
  });

  it('keeps entries in use: used within the hour, read by a run, or used while the cleaner waited for the lock', async () => {
    const [fresh, read, taken] = [await add('fresh', 0, 5000), await add('read', 40, 5000), await add('taken', 41)];
    used.add(read);
    await makeCleaner(
      { days: 30, bytes: 1 },
      {
        exclusively: async (path, work) => {
          await recordUse(path);
          await work();
        },
      },
    ).clean();
    expect([fresh, read, taken].map((path) => existsSync(path))).toEqual([true, true, true]);
    expect(notes).toEqual([]);
  });

  it('keeps everything without limits', async () => {
    const path = await add('ancient', 4000);
    await makeCleaner({ days: 0, bytes: 0 }).clean();
    expect(existsSync(path)).toBe(true);
  });

  it('removes staging folders of an earlier process when it starts, and cleans up complete entries', async () => {
    const [staging, whole] = [await add('x.new', 0), await add('y', 0)];
    const tidied: string[] = [];
    const tidy = (path: string) => Promise.resolve(void tidied.push(path));
    const cleaner = makeCleaner({ days: 0, bytes: 0 }, { tidy });
    const folders = await cleaner.stagingFolders();
    const fresh = await add('z.new', 0);
    cleaner.start(folders);
    await cleaner.stop();
    expect([staging, fresh].map((path) => existsSync(path))).toEqual([false, true]);
    expect(tidied).toEqual([whole]);
  });
});
