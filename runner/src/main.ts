import { mkdirSync } from 'node:fs';
import { ConfigError, type RunnerConfig, readConfig } from './config.ts';
import { FolderLocked, lockFolder } from './folder-lock.ts';
import { UserError } from './process/process-user.ts';
import { startRunner } from './runner.ts';

const EXIT_BAD_CONFIG = 2;
const EXIT_LOCKED = 3;

/**
 * What a run makes on its targets must not depend on how the service is started: git, Ansible and their children write as
 * they do for a person. Whatever this process itself writes says its mode.
 */
process.umask(0o022);

/** The runner outlives whoever started it, and then nobody reads what it says. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const note = (sentence: string) => {
  process.stderr.write(`${new Date().toISOString()} runner: ${sentence}\n`);
};

const fail = (sentence: string, code: number): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
};

const configure = (): RunnerConfig => {
  try {
    return readConfig();
  } catch (fault) {
    if (fault instanceof ConfigError) return fail(fault.message, EXIT_BAD_CONFIG);
    throw fault;
  }
};

const lock = (config: RunnerConfig) => {
  try {
    mkdirSync(config.data, { recursive: true, mode: 0o700 });
    return lockFolder(config.data);
  } catch (fault) {
    if (fault instanceof FolderLocked) return fail(fault.message, EXIT_LOCKED);
    return fail(
      `The folder ${config.data} cannot be used: ${fault instanceof Error ? fault.message : String(fault)}.`,
      EXIT_BAD_CONFIG,
    );
  }
};

const config = configure();
const unlock = lock(config);
const runner = await startRunner(config, note).catch((fault: unknown) => {
  if (fault instanceof UserError) return fail(fault.message, EXIT_BAD_CONFIG);
  throw fault;
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => runner.terminate());
// The terminal of whoever started the server is not ours.
process.on('SIGHUP', () => undefined);
await runner.ended;
unlock();
process.exit(0);
