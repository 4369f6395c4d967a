import { spawn } from 'node:child_process';
import type { ProcessUser } from './user.ts';

export interface ProgramOptions {
  cwd?: string;
  env: Record<string, string>;
  /** What it reads from standard input; nothing when absent. */
  input?: string;
  /** Milliseconds after which the program and its group are killed. */
  timeoutMs: number;
  /** Most bytes kept of each stream; the rest is read and thrown away. */
  maxOutput?: number;
  /** Kills the program and its group at once. */
  signal?: AbortSignal;
  /** Executes it as this user, with no group but that user's first; without one, as ourselves. */
  user?: ProcessUser | undefined;
  /** Gets standard output and standard error as they come; what it throws ends the program. */
  onOutput?: (chunk: Buffer) => void;
}

export interface ProgramEnd {
  /** Null when the program was ended by a signal or could not be started. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** Set when it did not end by itself, or did not start: then `stderr` says why. */
  error: 'timeout' | 'aborted' | 'missing' | 'unstarted' | null;
}

const MAX_OUTPUT = 8 * 1024 * 1024;

/** How long pipes that a grandchild holds open are waited for once the program itself has ended, in milliseconds. */
const PIPE_GRACE_MS = 500;

const killGroup = (pid: number | undefined) => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
};

/**
 * Runs one program to its end, without a shell, in a process group of its own, so that what it started can be ended with
 * it. How it went is in the answer.
 * @throws what `onOutput` has thrown, once the program is gone
 */
export const runProgram = (file: string, args: readonly string[], options: ProgramOptions): Promise<ProgramEnd> =>
  new Promise((resolve, reject) => {
    let error: ProgramEnd['error'] = null;
    if (options.signal?.aborted) {
      resolve({ code: null, stdout: '', stderr: '', error: 'aborted' });
      return;
    }
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: 'pipe',
      ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
    });
    if (child.pid === undefined) {
      // Also where there was no room for its pipes; only the error tells.
      child.once('error', (error) => {
        const isMissing = 'code' in error && error.code === 'ENOENT';
        resolve({ code: null, stdout: '', stderr: error.message, error: isMissing ? 'missing' : 'unstarted' });
      });
      return;
    }
    // A program that ends without reading all of it is noticed by how it ends.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    const room = { stdout: options.maxOutput ?? MAX_OUTPUT, stderr: options.maxOutput ?? MAX_OUTPUT };
    let untold: { why: unknown } | undefined;
    const tell = (chunk: Buffer) => {
      if (untold) return;
      try {
        options.onOutput?.(chunk);
      } catch (why) {
        untold = { why };
        killGroup(child.pid);
      }
    };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        tell(chunk);
        if (room[name] <= 0) return;
        kept[name].push(chunk.subarray(0, room[name]));
        room[name] -= chunk.length;
      });
    }
    const end = (why: 'timeout' | 'aborted') => {
      error ??= why;
      killGroup(child.pid);
    };
    const onAbort = () => end('aborted');
    const timer = setTimeout(() => end('timeout'), options.timeoutMs);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    let grace: NodeJS.Timeout | undefined;
    const finish = (code: number | null) => {
      clearTimeout(timer);
      clearTimeout(grace);
      options.signal?.removeEventListener('abort', onAbort);
      child.stdout.destroy();
      child.stderr.destroy();
      const text = (name: 'stdout' | 'stderr') => Buffer.concat(kept[name]).toString('utf8');
      if (untold) reject(untold.why);
      else resolve({ code, stdout: text('stdout'), stderr: text('stderr'), error });
    };
    child.once('error', () => finish(null));
    child.once('exit', (code) => {
      // What a killed program had started would go on with nobody to end it, and with its locks.
      if (code === null) killGroup(child.pid);
      grace = setTimeout(() => finish(code), PIPE_GRACE_MS);
    });
    child.once('close', (code) => finish(code));
  });
