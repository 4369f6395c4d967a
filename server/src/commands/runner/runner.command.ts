import type { Command } from 'commander';
import { addRegisterCommand } from './register.command.ts';

const NAME = ['<name>', 'name or id of the runner'] as const;

/** Adds `signalbox runner`, which shows and changes the runners of a server. Without further arguments it is a runner. */
export const addRunnerCommand = (program: Command): void => {
  const runner = program
    .command('runner')
    .description('run a runner that gets jobs from a server, or show and change the runners of a server')
    .option('--once', 'take one task and exit')
    .action(async () => {
      // The launcher starts a runner before it loads any code of the server.
      const { StartError } = await import('../../start-error.ts');
      throw new StartError('Start a runner as: signalbox runner');
    });
  addRegisterCommand(runner);
  const add = (name: string, description: string): Command =>
    runner
      .command(name)
      .description(description)
      .option('--server <address>', 'address of the server; default: SIGNALBOX_SERVER')
      .option('--token-file <file>', 'file with an API token of an administrator; default: SIGNALBOX_TOKEN');
  const actions = () => import('./runner.actions.ts');
  add('list', 'list the runners with their state')
    .option('--json', 'print them as JSON')
    .action(async (options) => await (await actions()).listRunners(options));
  add('pause', 'give a runner no new task; its running tasks continue')
    .argument(...NAME)
    .action(async (name, options) => await (await actions()).pauseRunner(name, true, options));
  add('resume', 'give a paused runner tasks again')
    .argument(...NAME)
    .action(async (name, options) => await (await actions()).pauseRunner(name, false, options));
  add('drain', 'let a connected runner finish its tasks and end')
    .argument(...NAME)
    .action(async (name, options) => await (await actions()).drainRunner(name, options));
  add('remove', 'delete a runner; tasks that it runs fail')
    .argument(...NAME)
    .action(async (name, options) => await (await actions()).removeRunner(name, options));
};
