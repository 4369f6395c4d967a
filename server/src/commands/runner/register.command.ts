import type { Command } from 'commander';

/** Adds `signalbox runner register` to the usage and the completion. The launcher passes the command to the runner. */
export const addRegisterCommand = (runner: Command): void => {
  runner
    .command('register')
    .description('register this machine as a runner, and store its credential')
    .option('--url <url>', 'address of the server; default: SIGNALBOX_SERVER')
    .option('--token <token>', 'registration token, which other users of this machine can see; prefer --token-file')
    .option('--token-file <file>', 'file with the registration token; - for standard input')
    .option('--name <name>', 'name of the runner; default: name of this machine')
    .option('--description <text>', 'what the runner is for')
    .option('--data <folder>', 'data folder of the runner; default: SIGNALBOX_RUNNER_DATA')
    .option('--ca <file>', 'certificate of a private authority, in PEM')
    .option('--ephemeral', 'the runner takes one task and is then deleted')
    .option('--replace', 'replace the credential of a registered runner')
    .action(async () => {
      const { StartError } = await import('../../start-error.ts');
      throw new StartError('Register a runner as: signalbox runner register');
    });
};
