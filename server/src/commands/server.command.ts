import type { Command } from 'commander';

/** Adds `signalbox server`. */
export const addServerCommand = (program: Command): void => {
  program
    .command('server')
    .description('run the server (settings: docs/operations/settings.md)')
    .action(async () => {
      const { readConfig } = await import('../config.ts');
      await (await import('./server.actions.ts')).runServer(readConfig());
    });
};
