import { stderr, stdout } from 'node:process';

/** A failure that one sentence explains; no stack is shown for it. */
export class Refusal extends Error {}

const live = stdout.isTTY === true && process.env.CI === undefined;
const seconds = (/** @type {number} */ since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const erase = () => stdout.write('\r\x1b[2K');

/**
 * Does one step and prints its name with the time it took. A long one shows that it lives: on a terminal by one line
 * that changes, elsewhere by a line every ten seconds.
 *
 * @template T
 * @param {string} name
 * @param {(report: (progress: string) => void) => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export const step = async (name, work) => {
  const since = performance.now();
  let progress = '';
  const show = () => {
    const text = `${name} ... ${seconds(since)}${progress && `  ${progress}`}`;
    if (live) {
      erase();
      stdout.write(text.slice(0, (stdout.columns ?? 80) - 1));
    } else stdout.write(`  ${text}\n`);
  };
  const timer = setInterval(show, live ? 200 : 10_000);
  if (live) show();
  try {
    const result = await work((line) => {
      progress = line;
    });
    if (live) erase();
    stdout.write(`${name}  ${seconds(since)}\n`);
    return result;
  } catch (error) {
    if (live) erase();
    stdout.write(`${name}  failed after ${seconds(since)}\n`);
    throw error;
  } finally {
    clearInterval(timer);
  }
};

/**
 * Runs a command, and prints a message in place of a stack trace if a step fails with a Refusal.
 *
 * @param {() => Promise<void>} main
 */
export const runMain = async (main) => {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
};
