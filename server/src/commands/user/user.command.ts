import type { Command } from 'commander';

const JSON_OPTION = ['--json', 'print JSON for scripts'] as const;

const withPassword = (command: Command): Command =>
  command
    .option('--password <password>', 'the password; other users of this machine can see it while the command runs')
    .option('--password-stdin', 'read the password from standard input instead');

const withChanges = (command: Command): Command =>
  withPassword(command)
    .option('--keep-tokens', 'keep the API tokens of the user when the password changes')
    .option('--name <name>', 'the new full name')
    .option('--admin', 'make the user a system administrator')
    .option('--no-admin', 'revoke that right');

const withWho = (command: Command): Command =>
  command.option('--login <login>', 'username of the user').option('--email <address>', 'email address of the user');

/** Collects the values of an option that can be repeated. */
const collect = (value: string, previous: readonly string[] = []): string[] => [...previous, value];

const addTokens = (user: Command): void => {
  const token = user.command('token').description('create, list and delete API tokens of a user');
  token
    .command('create')
    .description('create an API token and print it; it is shown only once')
    .requiredOption('--login <login>', 'username of the user')
    .option('--name <name>', 'name of the token', 'API token')
    .option('--scope <scope>', 'what the token may do: read, run, metrics or everything; repeatable', collect)
    .option('--project <name>', 'restrict the token to this project; repeatable', collect)
    .option(
      '--template <project/template>',
      'restrict a token with the scope run to this template; repeatable',
      collect,
    )
    .option('--expires <time>', 'when the token stops working, such as 2027-01-31T00:00:00Z; default: never')
    .option(...JSON_OPTION)
    .action(async (options) => await (await import('./user-token.actions.ts')).createToken(options));
  token
    .command('list')
    .description('list the API tokens of a user, or of all users')
    .option('--login <login>', 'username of the user')
    .option(...JSON_OPTION)
    .action(async (options) => await (await import('./user-token.actions.ts')).listTokens(options));
  token
    .command('delete')
    .description('delete an API token, which stops working')
    .requiredOption('--login <login>', 'username of the user')
    .requiredOption('--id <id>', 'the token, or its id as the list shows it')
    .action(async (options) => await (await import('./user-token.actions.ts')).deleteToken(options));
};

/**
 * Adds `signalbox user`. Works directly on the database, with or without a running server, so admins can always
 * regain access.
 */
export const addUserCommand = (program: Command): void => {
  const user = program.command('user').description('list, add, change and delete users');
  user
    .command('list')
    .description('list the users')
    .option(...JSON_OPTION)
    .action(async (options) => await (await import('./user.actions.ts')).listAll(options));
  withWho(user.command('get'))
    .description('show one user, found by login or email address')
    .option(...JSON_OPTION)
    .action(async (options) => await (await import('./user.actions.ts')).show(options));
  withPassword(user.command('add'))
    .description('add a user')
    .requiredOption('--login <login>', 'username, for signing in')
    .requiredOption('--name <name>', 'full name')
    .requiredOption('--email <address>', 'email address')
    .option('--admin', 'make the user a system administrator')
    .action(async (options) => await (await import('./user.actions.ts')).add(options));
  user
    .command('add-service')
    .description('add a service account, which has API tokens but cannot sign in')
    .requiredOption('--login <login>', 'username')
    .requiredOption('--name <name>', 'full name')
    .option('--admin', 'make it a system administrator')
    .action(async (options) => await (await import('./user.actions.ts')).addService(options));
  withChanges(user.command('change-by-login'))
    .description('change a user who is found by login; a new password ends their sessions and API tokens')
    .requiredOption('--login <login>', 'username of the user')
    .option('--email <address>', 'the new email address')
    .action(async ({ login, email, ...options }) => {
      await (await import('./user.actions.ts')).change({ login }, { ...options, email });
    });
  withChanges(user.command('change-by-email'))
    .description('change a user who is found by email address; a new password ends their sessions and API tokens')
    .requiredOption('--email <address>', 'email address of the user')
    .option('--login <login>', 'the new username')
    .action(async ({ login, email, ...options }) => {
      await (await import('./user.actions.ts')).change({ email }, { ...options, username: login });
    });
  withWho(user.command('delete'))
    .description('delete a user who is found by login or email address')
    .action(async (options) => await (await import('./user.actions.ts')).remove(options));
  const factor = user.command('second-factor').description('second factors of users');
  withWho(factor.command('reset'))
    .description('remove the second factor of a user who has lost it; ends their sessions')
    .action(async (options) => await (await import('./user.actions.ts')).resetSecondFactor(options));
  addTokens(user);
};
