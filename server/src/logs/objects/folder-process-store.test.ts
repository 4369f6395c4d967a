import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startFolderProcess } from './folder-process.starter.ts';
import { folderProcessStore } from './folder-process-store.ts';
import { guardedObjectStore } from './guarded-object-store.ts';

const BYTES = Buffer.from('0123456789');
const LIMITS = { read: 1_000, write: 5_000 };
const AWAY = { logStoreProblem: 'away' };

const setUp = (start = startFolderProcess) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-folder-process-'));
  const children: ChildProcess[] = [];
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const store = folderProcessStore(folder, LIMITS, (...args) => {
    const child = start(...args);
    children.push(child);
    return child;
  });
  return { folder, store, children };
};

it('a folder that does not answer ends its process, and the next call uses another one', async () => {
  const { folder, store, children } = setUp();
  await store.put('a', BYTES);
  // A file that no read opens, like one of a server for files that does not answer.
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  const reads = Array.from({ length: 8 }, () => store.read('fifo', 0, 1));
  for (const read of reads) await expect(read).rejects.toMatchObject(AWAY);
  const [first] = children;
  if (first?.exitCode === null && first.signalCode === null) await once(first, 'exit');
  expect(first?.signalCode).toBe('SIGKILL');
  expect((await store.read('a', 3, 2)).toString()).toBe('34');
  expect(children).toHaveLength(2);
});

it('no process is started while one that was killed has not ended', async () => {
  const { store, children } = setUp((folder) => Object.assign(startFolderProcess(folder), { kill: () => true }));
  await store.put('a', BYTES);
  process.kill(children[0]?.pid ?? 0, 'SIGSTOP');
  await expect(store.read('a', 0, 1)).rejects.toThrow('did not answer within 1 s');
  await expect(store.read('a', 0, 1)).rejects.toThrow('has not ended yet');
  expect(children).toHaveLength(1);
  process.kill(children[0]?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => store.read('a', 0, 1).catch(String)).toEqual(Buffer.from('0'));
  expect(children).toHaveLength(2);
});

it('calls fail when the process of the folder dies', async () => {
  const { store, children } = setUp();
  await store.put('a', BYTES);
  process.kill(children[0]?.pid ?? 0, 'SIGSTOP');
  const read = store.read('a', 0, 1);
  process.kill(children[0]?.pid ?? 0, 'SIGKILL');
  await expect(read).rejects.toThrow('has lost its process');
});

it('the process ends with the one that started it, and removes what it was writing', async () => {
  const { folder, store, children } = setUp();
  await store.put('a', BYTES);
  const write = store.put('b', Buffer.alloc(30_000_000));
  children[0]?.disconnect();
  await expect(write).rejects.toMatchObject(AWAY);
  await expect.poll(() => children[0]?.exitCode ?? children[0]?.signalCode ?? 'running').not.toBe('running');
  expect(readdirSync(folder)).not.toContain('b.part');
});

it('a full folder is read although nothing can be written', async () => {
  const { folder, store } = setUp();
  writeFileSync(join(folder, 'a'), BYTES);
  symlinkSync('/dev/full', join(folder, 'b.part'));
  const guarded = guardedObjectStore(store);
  await expect(guarded.put('b', BYTES)).rejects.toMatchObject({ logStoreProblem: 'full' });
  expect((await guarded.read('a', 0, 1)).toString()).toBe('0');
});
