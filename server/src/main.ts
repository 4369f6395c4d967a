import { serverCommand } from './commands/server.command.ts';
import { USER_USAGE, userCommand } from './commands/user.command.ts';
import { ConfigError, readConfig } from './config.ts';
import { StartError } from './start-error.ts';
import { VERSION } from './version.ts';

const USAGE = `Usage:
  signalbox server    run the server (settings: docs/operations/settings.md)
  signalbox runner    run a runner that takes orders from a server
  signalbox user      list users, add one, change a password
  signalbox version   print the version

${USER_USAGE}`;

const run = async ([command = '', ...args]: string[]): Promise<void> => {
  switch (command) {
    case 'server':
      return await serverCommand(readConfig());
    case 'user':
      return await userCommand(readConfig(), args);
    case 'version':
      process.stdout.write(`${VERSION}\n`);
      return;
    case '--help':
    case 'help':
      process.stdout.write(`${USAGE}\n`);
      return;
    default:
      throw new StartError(USAGE);
  }
};

const isForPeople = (error: unknown): error is Error =>
  error instanceof StartError ||
  error instanceof ConfigError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

try {
  await run(process.argv.slice(2));
} catch (error) {
  // What a person can mend is one sentence; what only we can mend keeps its stack.
  process.stderr.write(`${isForPeople(error) ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
}
