import type { Command } from 'commander';

/** Adds `signalbox upgrade`. */
export const addUpgradeCommand = (program: Command): void => {
  program
    .command('upgrade')
    .description('show what an upgrade of the database to this version does; a start of the server upgrades it')
    .requiredOption('--check', 'only show it, and change nothing')
    .option('--json', 'print JSON for scripts')
    .action(async (options) => await (await import('./upgrade.actions.ts')).checkUpgrade(options));
};
