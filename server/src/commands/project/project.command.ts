import type { Command } from 'commander';

const withPassphrase = (command: Command): Command =>
  command
    .option(
      '--passphrase <passphrase>',
      'the passphrase; other users of this machine can see it while the command runs',
    )
    .option('--passphrase-stdin', 'read the passphrase from standard input');

/** Adds `signalbox project`, which exports and imports projects. */
export const addProjectCommand = (program: Command): void => {
  const project = program.command('project').description('list, export and import projects');
  project
    .command('list')
    .description('list the projects')
    .option('--json', 'print JSON for scripts')
    .action(async (options) => await (await import('./project.actions.ts')).listProjects(options));
  withPassphrase(project.command('export'))
    .description('export a project to a JSON file, without its tasks and, by default, without its secrets')
    .argument('<project>', 'name or id of the project')
    .option('--output <file>', 'output file; default: standard output')
    .option('--with-secrets', 'include the secrets, protected by a passphrase')
    .action(async (name, options) => await (await import('./project.actions.ts')).exportOne(name, options));
  withPassphrase(project.command('import'))
    .description('import a project from an export, or from a project backup of Semaphore UI')
    .argument('<file>', 'the file')
    .option('--name <name>', 'name of the new project; default: the name in the file')
    .option('--owner <login>', 'owner of the new project; default: the first system administrator')
    .option('--json', 'print JSON for scripts')
    .action(async (file, options) => await (await import('./project.actions.ts')).importOne(file, options));
};
