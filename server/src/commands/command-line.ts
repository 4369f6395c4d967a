import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addBackupCommand } from './backup.command.ts';
import { addCompletionCommand } from './completion.command.ts';
import { addProjectCommand } from './project.command.ts';
import { addRunCommand } from './run.command.ts';
import { addServerCommand } from './server.command.ts';
import { addUserCommand } from './user.command.ts';
import { addVaultCommand } from './vault.command.ts';

/** What the library says about a mistake, as a sentence like all others. */
const asSentence = (text: string): string => {
  const [first = '', ...more] = text
    .trimEnd()
    .replace(/^error: /, '')
    .split('\n');
  return [`${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, '')}.`, ...more, ''].join('\n');
};

/** Every command with its options. What a command does is loaded only when it is run. */
export const makeCommandLine = (): Command => {
  const program = new Command('signalbox')
    .description('A web console and server that runs Ansible playbooks.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show how a command is used')
    .helpCommand('help [command]', 'show how a command is used')
    .configureOutput({ outputError: (text, write) => write(asSentence(text)) })
    .exitOverride();
  addServerCommand(program);
  addUserCommand(program);
  addVaultCommand(program);
  addBackupCommand(program);
  addProjectCommand(program);
  addRunCommand(program);
  addCompletionCommand(program);
  program
    .command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${VERSION}\n`));
  return program;
};
