import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runProgram } from '../../process/program.ts';
import { TEST_PATH } from '../../testing/runner-harness.testing.ts';

const SUPERVISOR = join(import.meta.dirname, '..', '..', '..', 'supervisor');

/** Starts the first process of a container whose kernel has killed a process for the memory limit. */
const MAIN = [
  'import os, sys',
  'sys.path.insert(0, sys.argv.pop(1))',
  'import container_init',
  'container_init.memory_kills = lambda: 1',
  'os._exit(container_init.main())',
].join('\n');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-init-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('the first process of a container keeps the exit code of the program if it cannot report the memory limit', async () => {
  const variables = join(folder, 'variables.json');
  writeFileSync(variables, '{}');
  const argv = ['-c', MAIN, SUPERVISOR, variables, join(folder, 'missing', 'memory'), '/bin/sh', '-c', 'exit 7'];
  const env = { PATH: TEST_PATH, PYTHONDONTWRITEBYTECODE: '1' };
  const end = await runProgram('python3', argv, { env, timeoutMs: 30_000 });
  expect(end.code, end.stderr).toBe(7);
});
