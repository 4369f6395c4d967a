import { expect, it } from 'vitest';
import { identityOf, isAlive, type ProcessIdentity } from './process-table.ts';
import { runProgram } from './program.ts';

/** Starts a child process without open pipes, prints its id, and then ends by itself or kills itself. */
const PARENT = `import os, signal, sys, time
child = os.fork()
if child == 0:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2): os.dup2(null, stream)
    time.sleep(300)
    os._exit(0)
print(child, flush=True)
time.sleep(0.2)
if sys.argv[1] == 'killed': os.kill(os.getpid(), signal.SIGKILL)
`;

const run = async (how: string): Promise<ProcessIdentity | undefined> => {
  let child: ProcessIdentity | undefined;
  await runProgram('/usr/bin/python3', ['-c', PARENT, how], {
    env: {},
    timeoutMs: 30_000,
    onOutput: (chunk) => {
      child = identityOf(Number(chunk.toString()));
    },
  });
  return child;
};

it('ends the children of a killed program, whose locks would block the next program', async () => {
  const child = await run('killed');
  expect(child).toBeDefined();
  await expect.poll(() => child && isAlive(child)).toBe(false);
});

it('does not end the children of a program that ended by itself', async () => {
  const child = await run('ended');
  expect(child && isAlive(child)).toBe(true);
  process.kill(child?.pid ?? 0, 'SIGKILL');
});

it('ends a program whose output cannot be processed, and throws the error', async () => {
  const running = runProgram('/bin/sh', ['-c', 'echo $$; exec sleep 300'], {
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 30_000,
    onOutput: (chunk) => {
      throw new Error(`no space for ${chunk.toString().trim()}`);
    },
  });
  const thrown = String(await running.catch((error: unknown) => error));
  expect(thrown).toMatch(/^Error: no space for \d+$/);
  expect(identityOf(Number(/\d+$/.exec(thrown)?.[0]))).toBeUndefined();
});
