import { mkdirSync } from 'node:fs';
import { ConfigError, type RunnerConfig, readConfig } from './config.ts';
import { FolderLocked, lockFolder } from './folder-lock.ts';
import { NoAccess } from './link/runner-access.ts';
import { UserError } from './process/process-user.ts';
import { startRunner } from './runner.ts';

const EXIT_BAD_CONFIG = 2;
const EXIT_LOCKED = 3;
/** The runner takes one task, and the server has refused its token before it confirmed this task. */
const EXIT_REFUSED = 4;

/**
 * The files that a run creates on its hosts must not depend on how the service was started, so programs get the usual mask.
 * Files of the runner itself are written with explicit modes.
 */
process.umask(0o022);

/** The runner may outlive the process that started it. Then its output streams are closed, which must not end it. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const log = (text: string) => {
  process.stderr.write(`${new Date().toISOString()} runner: ${text}\n`);
};

const fail = (text: string, code: number): never => {
  process.stderr.write(`${text}\n`);
  process.exit(code);
};

const configure = (): RunnerConfig => {
  try {
    const read = readConfig();
    return process.argv.includes('--once') ? { ...read, once: true } : read;
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message, EXIT_BAD_CONFIG);
    throw error;
  }
};

const lock = (config: RunnerConfig) => {
  try {
    mkdirSync(config.data, { recursive: true, mode: 0o700 });
    return lockFolder(config.data);
  } catch (error) {
    if (error instanceof FolderLocked) return fail(error.message, EXIT_LOCKED);
    return fail(
      `The folder ${config.data} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      EXIT_BAD_CONFIG,
    );
  }
};

const config = configure();
const unlock = lock(config);
const runner = await startRunner(config, log).catch((error: unknown) => {
  if (error instanceof UserError || error instanceof NoAccess) return fail(error.message, EXIT_BAD_CONFIG);
  throw error;
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => runner.terminate());
// The runner continues when the terminal of the server is closed.
process.on('SIGHUP', () => undefined);
const end = await runner.ended;
unlock();
process.exit(end === 'refused' ? EXIT_REFUSED : 0);
