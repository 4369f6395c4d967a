import type { Command } from 'commander';

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** `signalbox run`: a task of a running server, from its start to its end. */
export const addRunCommand = (program: Command): void => {
  program
    .command('run')
    .description('start a task on a running server, show its log, and end as it ends: 0 success, 1 error, 2 stopped')
    .argument('<project/template>', 'names or ids, such as Shop/Deploy or 1/7')
    .option('--server <address>', 'address of the server; else SIGNALBOX_SERVER')
    .option('--token-file <file>', 'file with an API token; else SIGNALBOX_TOKEN')
    .option('--message <text>', 'why it is run')
    .option('--limit <hosts>', 'only these hosts')
    .option('--var <name=value>', 'an answer to what the template asks; may be given several times', collect)
    .option('--argument <text>', 'an argument for ansible-playbook; may be given several times', collect)
    .option('--commit <hash>', 'a commit instead of the newest of the branch')
    .option('--build <task>', 'id of the build task to deploy; else the newest that succeeded')
    .option('--dry-run', 'change nothing on the hosts')
    .option('--diff', 'show what changes in files')
    .option('--debug', 'have Ansible say more')
    .option('--detach', 'only start it and print its id')
    .option('--json', 'print no log; answer the task as JSON when it has ended')
    .action(async (target, options) => await (await import('./run.actions.ts')).run(target, options));
};
