import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from './completion-script.ts';

/** `signalbox completion`: what a shell needs to complete commands and options. */
export const addCompletionCommand = (program: Command): void => {
  program
    .command('completion')
    .description('print a script that has a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action((shell: Shell) => void process.stdout.write(completionScript(program, shell)));
};
