import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a program quietly and keeps the end of its output. Does not reject if the program fails.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export const runQuietly = (file, args, { cwd, env, onLine } = {}) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const take = (/** @type {Buffer} */ chunk) => {
      const text = chunk.toString();
      output = (output + text).slice(-200_000);
      const line = text.trimEnd().split('\n').at(-1)?.trim();
      if (line) onLine?.(line);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code, signal) => resolve({ code: code ?? exitCodeOf(signal), output }));
  });

/** The exit code of a shell after a signal. */
const exitCodeOf = (/** @type {NodeJS.Signals | null} */ signal) => (signal ? 128 + constants.signals[signal] : 1);

/** The same signal twice within this time is one Ctrl-C: the terminal sends it, and npm forwards it. In milliseconds. */
const ECHO_MS = 1_000;

/**
 * Runs a program in the foreground with the input and output of this process, forwards every signal, and resolves with its
 * exit code. With `apart` the program gets its own session. Then it receives a Ctrl-C exactly once, although the terminal
 * sends it to the whole process group and npm forwards it again.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, apart?: boolean }} [options]
 * @returns {Promise<number>}
 */
export const runInForeground = (file, args, { cwd, env, apart = false } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: 'inherit', detached: apart });
    /** @type {Map<NodeJS.Signals, number>} */
    const last = new Map();
    const forward = (/** @type {NodeJS.Signals} */ signal) => {
      // A program in the process group of the terminal has already received this Ctrl-C.
      if (!apart && signal === 'SIGINT' && process.stdin.isTTY) return;
      const now = performance.now();
      if (now - (last.get(signal) ?? -ECHO_MS) < ECHO_MS) return;
      last.set(signal, now);
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    };
    /** @type {NodeJS.Signals[]} */
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const release = () => {
      for (const signal of signals) process.off(signal, forward);
    };
    child.on('error', (error) => {
      release();
      reject(error);
    });
    child.on('exit', (code, signal) => {
      release();
      resolve(code ?? exitCodeOf(signal));
    });
  });
