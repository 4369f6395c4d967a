import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../process/program.ts';
import { copyFolder } from './folder-copy.ts';

let folder: string;
let [from, to]: [string, string] = ['', ''];
const NEVER = new AbortController().signal;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-copy-'));
  [from, to] = [join(folder, 'from'), join(folder, 'to')];
  mkdirSync(join(from, 'deep'), { recursive: true });
  writeFileSync(join(from, 'deep', 'site.yml'), 'x');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the copy of a folder', () => {
  it('contains files, large files and links, and no other kind of entry', async () => {
    chmodSync(join(from, 'deep', 'site.yml'), 0o750);
    symlinkSync('/nowhere', join(from, 'link'));
    symlinkSync('deep', join(from, 'inner'));
    writeFileSync(join(from, 'large'), 'begins');
    chmodSync(join(from, 'large'), 0o770);
    truncateSync(join(from, 'large'), 20_000_000);
    const made = await runProgram('mkfifo', [join(from, 'deep', 'pipe')], {
      env: { PATH: '/usr/bin:/bin' },
      timeoutMs: 10_000,
    });
    expect(made.code).toBe(0);
    const server = createServer().listen(join(from, 'socket'));
    onTestFinished(() => void server.close());

    await copyFolder(from, to, NEVER);
    expect(readdirSync(to).toSorted()).toEqual(['deep', 'inner', 'large', 'link']);
    expect(readdirSync(join(to, 'deep'))).toEqual(['site.yml']);
    expect([readlinkSync(join(to, 'link')), readlinkSync(join(to, 'inner'))]).toEqual(['/nowhere', 'deep']);
    expect(statSync(join(to, 'deep', 'site.yml')).mode & 0o777).toBe(0o750);
    expect(statSync(join(to, 'large')).mode & 0o777).toBe(0o770);
    expect(readFileSync(join(to, 'large')).equals(readFileSync(join(from, 'large')))).toBe(true);
  });

  it('[R5] stops in the middle of a file when the run is stopped', async () => {
    const size = 8_000_000_000;
    writeFileSync(join(from, 'huge'), '');
    truncateSync(join(from, 'huge'), size);
    const abort = new AbortController();
    const copied = () => statSync(join(to, 'huge'), { throwIfNoEntry: false })?.size ?? 0;
    const copying = copyFolder(from, to, abort.signal).then(
      () => 'copied',
      () => 'ended',
    );
    await expect.poll(copied, { interval: 5, timeout: 10_000 }).toBeGreaterThan(0);
    abort.abort();
    expect(await copying).toBe('ended');
    expect(copied()).toBeLessThan(size);
  });

  it('[R5] does not start for a run that was stopped', async () => {
    await expect(copyFolder(from, to, AbortSignal.abort())).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['from']);
  });
});
