import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { isAlive, until } from './product.ts';

/** A program that starts the product, prints the pid of the server and the data folder, and runs until it is killed. */
const PROGRAM = `
const { Product } = await import(${JSON.stringify(new URL('./product.ts', import.meta.url).href)});
const product = await Product.start();
console.log(JSON.stringify({ pid: product.serverPid, folder: product.folder }));
setInterval(() => undefined, 1000);
`;

it('the product ends when the process that started it is killed', async () => {
  const starter: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void starter.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: starter.stdout as NodeJS.ReadableStream }), 'line');
  const { pid, folder } = JSON.parse(String(line)) as { pid: number; folder: string };
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(isAlive(pid)).toBe(true);
  starter.kill('SIGKILL');
  await until('the end of the server', () => !isAlive(pid), 30_000);
});
