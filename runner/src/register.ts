import { readProxy, readVariables } from './config.ts';
import { FolderLocked, lockFolder } from './folder-lock.ts';
import { registerCommand } from './registration/register-command.ts';
import { REGISTER_USAGE, readRegisterOptions, UsageError } from './registration/register-options.ts';
import { NotRegistered } from './registration/register-runner.ts';

const EXIT_REFUSED = 1;
const EXIT_BAD_USAGE = 2;
const EXIT_LOCKED = 3;

const exitCodeOf = (error: unknown): number => {
  if (error instanceof NotRegistered) return EXIT_REFUSED;
  return error instanceof FolderLocked ? EXIT_LOCKED : EXIT_BAD_USAGE;
};

/** Registers this machine as a runner. @returns the exit code */
const register = async (args: readonly string[]): Promise<number> => {
  try {
    const options = readRegisterOptions(args, readVariables());
    if (options === 'help') {
      process.stdout.write(REGISTER_USAGE);
      return 0;
    }
    await registerCommand(options, {
      proxy: readProxy(),
      path: readVariables().PATH ?? '',
      stdin: process.stdin,
      print: (text) => void process.stdout.write(text),
      lock: lockFolder,
    });
    return 0;
  } catch (error) {
    // System errors concern the data folder.
    const isKnown = [UsageError, NotRegistered, FolderLocked].some((kind) => error instanceof kind);
    if (!isKnown && !(error instanceof Error && 'syscall' in error)) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    return exitCodeOf(error);
  }
};

process.exitCode = await register(process.argv.slice(process.argv.indexOf('register') + 1));
