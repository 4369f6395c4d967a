import type { Command } from 'commander';

/** Adds `signalbox server` and `signalbox runner`. */
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
    .description('run a runner that gets jobs from a server (settings: runner/README.md)')
    .action(async () => {
      // The launcher passes `runner` on before it loads any code of the server.
      const { StartError } = await import('../start-error.ts');
      throw new StartError('Start a runner as: signalbox runner');
    });
};
