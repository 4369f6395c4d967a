import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The options of Node in the product. */
    productFlags: string[];
    /** The folder of compiled code. */
    compileCache: string;
  }
}

/** A program of Signalbox under test, in its own process. */
export interface NodeProgram {
  pid: number;
  stderr: () => string;
  kill: (signal: NodeJS.Signals) => void;
  exited: Promise<number | null>;
}

/** Runs a .ts file with the Node that runs the tests, set up as the product starts it, but compiled only once. */
export const startNode = async (file: string, env: Record<string, string>): Promise<NodeProgram> => {
  const child: ChildProcess = spawn(process.execPath, [...inject('productFlags'), file], {
    env: { NODE_COMPILE_CACHE: inject('compileCache'), ...env },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  if (child.pid === undefined) throw new Error('The program did not start.');
  return { pid: child.pid, stderr: () => stderr, kill: (signal) => child.kill(signal), exited };
};
