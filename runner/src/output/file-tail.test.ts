import { execFileSync } from 'node:child_process';
import { appendFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { FileTail } from './file-tail.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-tail-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

describe('the tail of a file', () => {
  it('returns the bytes since the last read, as soon as the file exists', async () => {
    const path = join(folder, 'grows');
    const tail = new FileTail(path);
    onTestFinished(() => tail.close());
    expect((await tail.read(10)).toString()).toBe('');
    writeFileSync(path, 'one two');
    expect((await tail.read(3)).toString()).toBe('one');
    appendFileSync(path, ' three');
    expect((await tail.read(100)).toString()).toBe(' two three');
    expect(tail.position).toBe('one two three'.length);
  });

  it('throws if the file cannot be opened, and continues once it can', async () => {
    const path = join(folder, 'folder');
    // A file with the name of the folder, so that opening fails with another error than "does not exist".
    writeFileSync(path, '');
    const tail = new FileTail(join(path, 'grows'));
    onTestFinished(() => tail.close());
    await expect(tail.read(10)).rejects.toThrow('ENOTDIR');
    rmSync(path);
    mkdirSync(path);
    writeFileSync(join(path, 'grows'), 'one');
    expect((await tail.read(10)).toString()).toBe('one');
  });

  it.each([
    ['a link', (path: string, secret: string) => symlinkSync(secret, path)],
    ['a hard link to another file', (path: string, secret: string) => linkSync(secret, path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('[S7] is empty if the file was replaced by %s', async (_, put) => {
    const [path, secret] = [join(folder, 'events'), join(folder, 'secret')];
    writeFileSync(secret, 'of another user');
    put(path, secret);
    const tail = new FileTail(path);
    onTestFinished(() => tail.close());
    expect((await tail.read(100)).toString()).toBe('');
  });
});
