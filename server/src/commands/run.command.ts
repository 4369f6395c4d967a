import type { Command } from 'commander';

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** Adds `signalbox run`, which runs a task on a server and waits for its end. */
export const addRunCommand = (program: Command): void => {
  program
    .command('run')
    .description('run a task on a server, print its log, and exit with 0 for success, 1 for error, 2 for stopped')
    .argument('<project/template>', 'names or ids, such as Shop/Deploy or 1/7')
    .option('--server <address>', 'address of the server; default: SIGNALBOX_SERVER')
    .option('--token-file <file>', 'file with an API token; default: SIGNALBOX_TOKEN')
    .option('--launch <name>', 'start with this saved launch, by name or id; other options replace its values')
    .option('--message <text>', 'message of the task')
    .option('--limit <hosts>', 'only these hosts')
    .option('--var <name=value>', 'an answer to the survey of the template; may be repeated', collect)
    .option(
      '--var-file <name=file>',
      'an answer from a file, or from standard input with -, such as a secret; may be repeated',
      collect,
    )
    .option('--tag <name>', 'only steps with this tag; may be repeated', collect)
    .option('--skip-tag <name>', 'no steps with this tag; may be repeated', collect)
    .option('--inventory <name>', 'another inventory, by name or id')
    .option('--environment <name>', 'another environment, by name or id')
    .option('--branch <name>', 'another branch or tag')
    .option('--vault <id=key>', 'the key with the password of a vault, by name or id; may be repeated', collect)
    .option('--forks <number>', 'number of hosts at once')
    .option('--verbosity <number>', 'number of -v options: 0 to 6')
    .option('--time-limit <minutes>', 'minutes after which the task is stopped; 0 for no limit')
    .option('--runner-tag <name>', 'a runner with this tag; may be repeated', collect)
    .option('--priority <number>', 'waiting tasks with a higher priority start first: -10 to 10')
    .option('--argument <text>', 'an argument for ansible-playbook; may be repeated', collect)
    .option('--commit <hash>', 'a commit instead of the newest of the branch')
    .option('--build <task>', 'id of the build task to deploy; default: the newest successful one')
    .option('--freeze-reason <text>', 'why the task is started in a freeze window')
    .option('--dry-run', 'change nothing on the hosts')
    .option('--no-dry-run', 'change the hosts, although the template is a dry run')
    .option('--diff', 'show changes of files')
    .option('--no-diff', 'do not show changes of files, although the template does')
    .option('--debug', 'print debug output of Ansible')
    .option('--detach', 'start the task and print its id without waiting')
    .option('--json', 'print no log, but the ended task as JSON')
    .action(async (target, options) => await (await import('./run.actions.ts')).run(target, options));
};
