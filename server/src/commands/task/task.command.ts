import type { Command } from 'commander';

/** Adds `signalbox task`, which shows a task of a server. */
export const addTaskCommand = (program: Command): void => {
  program
    .command('task')
    .description('show a task of a server')
    .command('show')
    .description('print the status of a task and its failures')
    .argument('<id>', 'number of the task')
    .option('--server <address>', 'address of the server; default: SIGNALBOX_SERVER')
    .option('--token-file <file>', 'file with an API token; default: SIGNALBOX_TOKEN')
    .option('--json', 'print both as JSON')
    .action(async (id, options) => await (await import('./task.actions.ts')).showTask(id, options));
};
