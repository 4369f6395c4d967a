import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from './completion-script.ts';

/** Adds `signalbox completion`, which prints a script for the shell. */
export const addCompletionCommand = (program: Command): void => {
  program
    .command('completion')
    .description('print a script for shell completion of commands and options')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action((shell: Shell) => void process.stdout.write(completionScript(program, shell)));
};
