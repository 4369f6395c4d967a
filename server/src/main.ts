import { CommanderError } from 'commander';
import { makeCommandLine } from './commands/command-line.ts';
import { messageOf } from './commands/error-message.ts';
import { terminalLine } from './commands/terminal-line.ts';

// A reader such as `head` may close the pipe early.
if (process.argv[2] !== 'server')
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`The output cannot be written (${error.message}).\n`);
    process.exit(1);
  });

try {
  await makeCommandLine().parseAsync();
} catch (error) {
  // The library has already printed the error or the help.
  if (error instanceof CommanderError) process.exit(error.exitCode);
  // Expected errors are printed as one sentence, unexpected ones with their stack.
  const sent = (await messageOf(error)) ?? (error as Error).stack ?? String(error);
  // The message may quote a file of another user, so control characters are removed.
  process.stderr.write(`${terminalLine(sent, false)}\n`);
  process.exit(1);
}
