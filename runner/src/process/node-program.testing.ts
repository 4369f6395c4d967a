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
  stdout: () => string;
  kill: (signal: NodeJS.Signals) => void;
  exited: Promise<number | null>;
}

/** Runs a .ts file with the Node that runs the tests, set up as the product starts it, but compiled only once. */
export const startNode = async (
  file: string,
  env: Record<string, string>,
  { args = [], input = '' }: { readonly args?: readonly string[]; readonly input?: string } = {},
): Promise<NodeProgram> => {
  const child: ChildProcess = spawn(process.execPath, [...inject('productFlags'), file, ...args], {
    env: { NODE_COMPILE_CACHE: inject('compileCache'), ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin?.on('error', () => undefined).end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  if (child.pid === undefined) throw new Error('The program did not start.');
  return { pid: child.pid, stderr: () => stderr, stdout: () => stdout, kill: (signal) => child.kill(signal), exited };
};
