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

/** A signal that comes twice within this time was sent once: by the terminal, and again by npm. In milliseconds. */
const ECHO_MS = 1_000;

/**
 * Runs a program in the foreground with this process's own input and output, hands every signal on, and resolves with
 * its exit code. With `apart` it gets a session of its own: then one Ctrl-C, which a terminal sends to the whole group and npm
 * sends once more, reaches it exactly once.
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
      // In the terminal's own group the program has had this Ctrl-C already.
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
