import type { Command } from 'commander';

const withPassphrase = (command: Command): Command =>
  command
    .option('--passphrase <passphrase>', 'the passphrase; other users of this machine can see it meanwhile')
    .option('--passphrase-stdin', 'read the passphrase from standard input instead');

/** `signalbox project`: projects in files. */
export const addProjectCommand = (program: Command): void => {
  const project = program.command('project').description('list projects, write one to a file, make one from a file');
  project
    .command('list')
    .description('list the projects')
    .option('--json', 'answer JSON for scripts')
    .action(async (options) => await (await import('./project.actions.ts')).listProjects(options));
  withPassphrase(project.command('export'))
    .description('write a project to a JSON file, without its tasks and, unless told otherwise, without its secrets')
    .argument('<project>', 'name or id of the project')
    .option('--output <file>', 'the file to write; else standard output')
    .option('--with-secrets', 'put the secrets into the file too, sealed by a passphrase')
    .action(async (name, options) => await (await import('./project.actions.ts')).exportOne(name, options));
  withPassphrase(project.command('import'))
    .description('make a project from such a file, or from the backup of a project of Semaphore UI')
    .argument('<file>', 'the file')
    .option('--name <name>', 'name of the new project; else the one in the file')
    .option('--owner <login>', 'who owns the new project; else the first system administrator')
    .option('--json', 'answer JSON for scripts')
    .action(async (file, options) => await (await import('./project.actions.ts')).importOne(file, options));
};
