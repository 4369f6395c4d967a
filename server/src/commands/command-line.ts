import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addBackupCommand } from './backup/backup.command.ts';
import { addCompletionCommand } from './completion.command.ts';
import { addLogsCommand } from './logs/logs.command.ts';
import { addProjectCommand } from './project/project.command.ts';
import { addRunCommand } from './run.command.ts';
import { addRunnerCommand } from './runner/runner.command.ts';
import { addServerCommand } from './server.command.ts';
import { addTaskCommand } from './task/task.command.ts';
import { addUpgradeCommand } from './upgrade/upgrade.command.ts';
import { addUserCommand } from './user/user.command.ts';
import { addVaultCommand } from './vault/vault.command.ts';

/** Adds a capital and a full stop to an error of the library. */
const withFullStop = (text: string): string => {
  const [first = '', ...more] = text
    .trimEnd()
    .replace(/^error: /, '')
    .split('\n');
  return [`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`, ...more, ''].join('\n');
};

/** Creates the command line. The code of a command is loaded when the command runs. */
export const makeCommandLine = (): Command => {
  const program = new Command('signalbox')
    .description('A web console and server that runs Ansible playbooks.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show the usage of a command')
    .helpCommand('help [command]', 'show the usage of a command')
    .configureOutput({ outputError: (text, write) => write(withFullStop(text)) })
    .exitOverride();
  addServerCommand(program);
  addUserCommand(program);
  addVaultCommand(program);
  addBackupCommand(program);
  addLogsCommand(program);
  addUpgradeCommand(program);
  addProjectCommand(program);
  addRunCommand(program);
  addTaskCommand(program);
  addRunnerCommand(program);
  addCompletionCommand(program);
  program
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${VERSION}\n`));
  return program;
};
