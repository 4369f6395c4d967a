import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { expect, inject, it, onTestFinished } from 'vitest';

const PROCESSES = 4;
const ROUNDS = 25;

/** Takes the folder that each line names, says whether it has it, and keeps it. */
const PROGRAM = `
const { createInterface } = await import('node:readline');
const { lockFolder } = await import(${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)});
createInterface({ input: process.stdin }).on('line', (folder) => {
  try {
    lockFolder(folder);
    console.log('mine');
  } catch (fault) {
    console.log(fault.message);
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

it('gives a folder whose owner was killed to one of those that start at the same moment', async () => {
  const contenders = await Promise.all(Array.from({ length: PROCESSES }, startContender));
  const root = mkdtempSync(join(tmpdir(), 'signalbox-lock-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = mkdtempSync(join(root, 'data-'));
    // No process has this pid together with this start.
    writeFileSync(join(folder, 'lock'), '1 1');
    const said = Promise.all(contenders.map(async ({ lines }) => String((await once(lines, 'line'))[0])));
    for (const { process } of contenders) process.stdin?.write(`${folder}\n`);
    const answers = await said;
    expect(answers.filter((answer) => answer === 'mine')).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes('already works in'))).toHaveLength(PROCESSES - 1);
    expect(readdirSync(folder)).toEqual(['lock']);
  }
});
