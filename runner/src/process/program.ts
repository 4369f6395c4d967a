import { spawn } from 'node:child_process';
import type { ProcessUser } from './user.ts';

export interface ProgramOptions {
  cwd?: string;
  env: Record<string, string>;
  /** The text for standard input. Default: empty. */
  input?: string;
  /** Milliseconds after which the program and its group are killed. */
  timeoutMs: number;
  /** Maximum bytes kept of each stream; the rest is read and discarded. */
  maxOutput?: number;
  /** Kills the program and its group at once. */
  signal?: AbortSignal;
  /** The user of the program, with only the first group of this user. Default: the user of this process. */
  user?: ProcessUser | undefined;
  /** Whether the program ends what it started when it gets TERM, as the reaper does. Default: its group is killed. */
  endsChildren?: boolean;
  /** Receives standard output and standard error in chunks. An exception of this function ends the program. */
  onOutput?: (chunk: Buffer) => void;
}

export interface ProgramEnd {
  /** Null if the program was ended by a signal or could not be started. */
  code: number | null;
  stdout: string;
  /** Bytes of `stdout` as the program wrote it. Decoding replaces bytes that are no UTF-8, which makes it longer. */
  stdoutBytes: number;
  stderr: string;
  /** Set if the program did not end by itself, or did not start: then `stderr` names the reason. */
  error: 'timeout' | 'aborted' | 'missing' | 'unstarted' | null;
}

/** The output of a program that did not run. */
const NOTHING = { code: null, stdout: '', stdoutBytes: 0 };

const MAX_OUTPUT = 8 * 1024 * 1024;

/** Maximum wait for pipes that a grandchild holds open after the program has ended, in milliseconds. */
const PIPE_GRACE_MS = 500;

/** Maximum wait for a program that ends what it started, in milliseconds. */
const CHILDREN_MS = 10_000;

const killGroup = (pid: number | undefined) => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
};

/**
 * Runs one program to its end, without a shell, in its own process group, so that its children can be ended too. The
 * result describes how it ended.
 * @throws the exception of `onOutput`, after the program has ended
 */
export const runProgram = (file: string, args: readonly string[], options: ProgramOptions): Promise<ProgramEnd> =>
  new Promise((resolve, reject) => {
    let error: ProgramEnd['error'] = null;
    if (options.signal?.aborted) {
      resolve({ ...NOTHING, stderr: '', error: 'aborted' });
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
      // There may also be no file descriptors for its pipes; then only the error event reports that.
      child.once('error', (error) => {
        const isMissing = 'code' in error && error.code === 'ENOENT';
        resolve({ ...NOTHING, stderr: error.message, error: isMissing ? 'missing' : 'unstarted' });
      });
      return;
    }
    // A program that ends before reading its whole input is reported by its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    const free = { stdout: options.maxOutput ?? MAX_OUTPUT, stderr: options.maxOutput ?? MAX_OUTPUT };
    let failed: { why: unknown } | undefined;
    const passOn = (chunk: Buffer) => {
      if (failed) return;
      try {
        options.onOutput?.(chunk);
      } catch (why) {
        failed = { why };
        kill();
      }
    };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        passOn(chunk);
        if (free[name] <= 0) return;
        kept[name].push(chunk.subarray(0, free[name]));
        free[name] -= chunk.length;
      });
    }
    let lastResort: NodeJS.Timeout | undefined;
    const kill = () => {
      if (!options.endsChildren) {
        killGroup(child.pid);
        return;
      }
      child.kill('SIGTERM');
      lastResort ??= setTimeout(() => killGroup(child.pid), CHILDREN_MS);
    };
    const end = (why: 'timeout' | 'aborted') => {
      error ??= why;
      kill();
    };
    const onAbort = () => end('aborted');
    const timer = setTimeout(() => end('timeout'), options.timeoutMs);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    let grace: NodeJS.Timeout | undefined;
    const finish = (code: number | null) => {
      clearTimeout(timer);
      clearTimeout(grace);
      clearTimeout(lastResort);
      options.signal?.removeEventListener('abort', onAbort);
      child.stdout.destroy();
      child.stderr.destroy();
      const [stdout, stderr] = [Buffer.concat(kept.stdout), Buffer.concat(kept.stderr)];
      if (failed) reject(failed.why);
      else resolve({ code, stdout: `${stdout}`, stdoutBytes: stdout.length, stderr: `${stderr}`, error });
    };
    child.once('error', () => finish(null));
    child.once('exit', (code) => {
      // The children of a killed program would continue and hold their locks.
      if (code === null) killGroup(child.pid);
      grace = setTimeout(() => finish(code), PIPE_GRACE_MS);
    });
    child.once('close', (code) => finish(code));
  });
