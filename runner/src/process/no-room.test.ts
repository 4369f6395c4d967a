import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { identityOf, isAlive } from './process-table.ts';
import { runProgram } from './program.ts';

const setLimit = (limit: string): void => void execFileSync('prlimit', [`--pid=${process.pid}`, `--nofile=${limit}:`]);

/** Does something while this process can open no further file. */
const withoutFiles = async (work: () => Promise<void>): Promise<void> => {
  const before = execFileSync('prlimit', [`--pid=${process.pid}`, '--nofile', '-o', 'SOFT', '--noheadings']);
  const taken: number[] = [];
  setLimit('200');
  try {
    try {
      for (;;) taken.push(openSync('/dev/null', 'r'));
    } catch {
      // That was the last one.
    }
    await work();
  } finally {
    for (const file of taken) closeSync(file);
    setLimit(before.toString('utf8').trim());
  }
};

it('starts no program where no file can be opened, says so, and goes on', async () => {
  await withoutFiles(async () => {
    const end = await runProgram('/bin/true', [], { env: {}, timeoutMs: 5_000 });
    expect(end).toMatchObject({ code: null, fault: 'unstarted' });
    expect(end.stderr).toContain('EMFILE');
  });
  expect(await runProgram('/bin/true', [], { env: {}, timeoutMs: 5_000 })).toMatchObject({ code: 0, fault: null });
  expect(await runProgram('/no/such', [], { env: {}, timeoutMs: 5_000 })).toMatchObject({ fault: 'missing' });
});

it('[R5] calls nobody dead whom it cannot look at', async () => {
  const me = identityOf(process.pid);
  await withoutFiles(async () => {
    expect(me && isAlive(me)).toBe(true);
    expect(() => identityOf(process.pid)).toThrow('EMFILE');
  });
});
