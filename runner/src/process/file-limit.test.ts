import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RunFolder } from '../runs/folder/run-folder.ts';
import { endAgents } from '../ssh/ssh-key.ts';
import { identityOf, isAlive, killProcessesNaming } from './process-table.ts';
import { runProgram } from './program.ts';
import { startSshAgent } from './ssh-agent.ts';

const setLimit = (limit: string): void => void execFileSync('prlimit', [`--pid=${process.pid}`, `--nofile=${limit}:`]);

/** Runs a function while this process can open no more files. */
const withoutFiles = async (work: () => Promise<void>): Promise<void> => {
  const before = execFileSync('prlimit', [`--pid=${process.pid}`, '--nofile', '-o', 'SOFT', '--noheadings']);
  const taken: number[] = [];
  setLimit('200');
  try {
    try {
      for (;;) taken.push(openSync('/dev/null', 'r'));
    } catch {
      // No file descriptor is left.
    }
    await work();
  } finally {
    for (const file of taken) closeSync(file);
    setLimit(before.toString('utf8').trim());
  }
};

it('starts no program if no file can be opened, reports the error, and continues', async () => {
  await withoutFiles(async () => {
    const end = await runProgram('/bin/true', [], { env: {}, timeoutMs: 5_000 });
    expect(end).toMatchObject({ code: null, error: 'unstarted' });
    expect(end.stderr).toContain('EMFILE');
  });
  expect(await runProgram('/bin/true', [], { env: {}, timeoutMs: 5_000 })).toMatchObject({ code: 0, error: null });
  expect(await runProgram('/no/such', [], { env: {}, timeoutMs: 5_000 })).toMatchObject({ error: 'missing' });
});

it('[S5] ends an agent with a key as soon as files can be opened again, and starts no agent before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-file-limit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const start = (name: string) =>
    startSshAgent('/usr/bin/ssh-agent', join(folder, name), { env: {}, signal: new AbortController().signal });
  await start('one');
  let ending: Promise<void> | undefined;
  await withoutFiles(async () => {
    expect(await start('two')).toBeUndefined();
    ending = endAgents(folder);
    // Opening a file fails here, so the check of `endAgents` has failed too.
    await expect(readdir(folder)).rejects.toThrow('EMFILE');
  });
  await ending;
  expect(await killProcessesNaming(`${folder}/`, 0)).toBe(true);
});

it('[R5] does not report a process as dead if /proc cannot be read', async () => {
  const me = identityOf(process.pid);
  await withoutFiles(async () => {
    expect(me && isAlive(me)).toBe(true);
    expect(() => identityOf(process.pid)).toThrow('EMFILE');
  });
});

it('[R2] throws if the folder of a run cannot be read, instead of treating the run as never started', async () => {
  const runs = mkdtempSync(join(tmpdir(), 'signalbox-file-limit-'));
  onTestFinished(() => rmSync(runs, { recursive: true }));
  const folder = new RunFolder(runs, { root: runs, user: undefined, env: {} }, 1, 1);
  await withoutFiles(async () => {
    for (const read of [folder.supervisor, folder.readJob, folder.readExit]) expect(read).toThrow('EMFILE');
  });
  for (const read of [folder.supervisor, folder.readJob, folder.readExit]) expect(read()).toBeUndefined();
});
