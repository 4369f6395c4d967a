import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { expect, inject, it, onTestFinished } from 'vitest';

const PROCESSES = 4;
const ROUNDS = 200;

/** Locks the folder that each line names, reports whether that worked, and keeps the lock. */
const PROGRAM = `
const { createInterface } = await import('node:readline');
const { lockFolder } = await import(${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)});
createInterface({ input: process.stdin }).on('line', (folder) => {
  try {
    lockFolder(folder);
    console.log('mine');
  } catch (error) {
    console.log(error.message);
  }
});
console.log('ready');
`;

interface Contender {
  readonly process: ChildProcess;
  readonly lines: Interface;
}

const startContender = async (): Promise<Contender> => {
  const process = spawn(
    globalThis.process.execPath,
    [...inject('productFlags'), '--input-type=module', '-e', PROGRAM],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => void process.kill('SIGKILL'));
  const lines = createInterface({ input: process.stdout });
  await once(lines, 'line');
  return { process, lines };
};

/** Files that killed runners can leave. No process has such a pid together with such a start time. */
const LEFT: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['whose owner was killed', { lock: '1 1' }],
  ['whose owner was killed, and then the process that was about to lock it', { lock: '1 1', 'lock.after-1-1': '1 2' }],
  ['whose lock is empty', { lock: '' }],
  ['whose lock is long nonsense', { lock: '!x\n'.repeat(1000) }],
  ['that was never locked', {}],
];

it.each(LEFT)('gives a folder %s to exactly one of the runners that start at the same moment', async (_, left) => {
  const contenders = await Promise.all(Array.from({ length: PROCESSES }, startContender));
  const root = mkdtempSync(join(tmpdir(), 'signalbox-lock-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = mkdtempSync(join(root, 'data-'));
    for (const [name, text] of Object.entries(left)) writeFileSync(join(folder, name), text);
    const firstLines = Promise.all(contenders.map(async ({ lines }) => String((await once(lines, 'line'))[0])));
    for (const { process } of contenders) process.stdin?.write(`${folder}\n`);
    const answers = await firstLines;
    expect(answers.filter((answer) => answer === 'mine')).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes('already works in'))).toHaveLength(PROCESSES - 1);
    expect(readdirSync(folder)).toEqual(['lock']);
  }
});
