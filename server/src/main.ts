import { CommanderError } from 'commander';
import { makeCommandLine } from './commands/command-line.ts';
import { sentenceOf } from './commands/fault.ts';
import { terminalLine } from './commands/terminal-line.ts';

// Whoever reads what a command says may have read enough, as `head` has.
if (process.argv[2] !== 'server')
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`The answer cannot be written (${error.message}).\n`);
    process.exit(1);
  });

try {
  await makeCommandLine().parseAsync();
} catch (error) {
  // The library has said what was wrong with the command, or shown the help that was asked for.
  if (error instanceof CommanderError) process.exit(error.exitCode);
  // What a person can mend is one sentence; what only we can mend keeps its stack.
  const told = (await sentenceOf(error)) ?? (error as Error).stack ?? String(error);
  // It may quote a file of somebody else.
  process.stderr.write(`${terminalLine(told, false)}\n`);
  process.exit(1);
}
