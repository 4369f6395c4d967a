import type { Command } from 'commander';

/** `signalbox server` and `signalbox runner`. */
export const addServerCommand = (program: Command): void => {
  program
    .command('server')
    .description('run the server (settings: docs/operations/settings.md)')
    .action(async () => {
      const { readConfig } = await import('../config.ts');
      await (await import('./server.actions.ts')).runServer(readConfig());
    });
  program
    .command('runner')
    .description('run a runner that takes orders from a server (settings: runner/README.md)')
    .action(async () => {
      // What starts the program hands this to the runner before the server's code is loaded.
      const { StartError } = await import('../start-error.ts');
      throw new StartError('Start a runner as: signalbox runner');
    });
};
