import type { Command } from 'commander';

/** Adds `signalbox logs`, which moves logs between the database and the log store. */
export const addLogsCommand = (program: Command): void => {
  const logs = program.command('logs').description('move logs of ended tasks to the log store, and back');
  logs
    .command('status')
    .description('print how many logs were moved and how many wait, and whether moves fail')
    .option('--json', 'print JSON for scripts')
    .action(async (options) => await (await import('./logs.actions.ts')).status(options));
  logs
    .command('expired')
    .description('print what retention would remove now, and remove nothing')
    .option('--json', 'print JSON for scripts')
    .action(async (options) => await (await import('./expired.actions.ts')).expired(options));
  logs
    .command('move')
    .description('move the logs of all ended tasks to the log store now; can be interrupted and repeated')
    .action(async () => await (await import('./logs.actions.ts')).move());
  logs
    .command('move-back')
    .description('move all logs back into the database; can be interrupted and repeated')
    .action(async () => await (await import('./logs.actions.ts')).moveBack());
};
