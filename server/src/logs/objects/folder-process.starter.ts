import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./folder-store.worker.ts', import.meta.url));

/** Starts the process that uses the folder of a log store. Does not keep this process running. */
export const startFolderProcess = (folder: string): ChildProcess => {
  const child = fork(PROGRAM, [folder], {
    cwd: '/',
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
};
