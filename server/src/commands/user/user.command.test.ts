import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeOneEmptyDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { makeEmptyState } from '../../testing/database/empty-state.ts';
import { eventTexts } from '../../testing/event-texts.ts';
import { giveFactor } from '../../testing/given-factor.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { signalbox, typed } from '../../testing/signalbox-process.ts';
import { startTestServer } from '../../testing/test-server.ts';

const ADD = ['--login', 'Jane', '--name', 'Jane Doe', '--email', 'jane@example.com', '--password', 'first password'];
const DIALOG = new URL('../../../../web/src/features/session/sign-in-help.tsx', import.meta.url);

const withState = async (makeLocation: () => Promise<TestLocation>): Promise<TestLocation> => {
  const location = await makeLocation();
  await makeEmptyState(location);
  return location;
};

const userOf =
  (location: TestLocation) =>
  (...args: string[]) =>
    signalbox(location, 'user', ...args).ended;

const made = (output: string) => ({ code: 0, output: `${output}\n` });
const refused = (output: string) => ({ code: 1, output: `${output}\n` });

describeOneEmptyDatabase('signalbox user', (makeLocation) => {
  it('adds, lists and shows users, and explains refusals in one sentence', async () => {
    const user = userOf(await withState(makeLocation));
    expect(await user('list')).toEqual({ code: 0, output: '' });
    expect(await user('add', ...ADD)).toEqual(made('User Jane created'));
    expect(await user('add', ...ADD, '--admin')).toEqual(refused('There is already a user with this username.'));
    expect(await user('list')).toEqual(made('Jane\tJane Doe\tjane@example.com'));
    expect(await user('get', '--email', 'JANE@example.com')).toEqual(made('Jane\tJane Doe\tjane@example.com'));
    const { code, output } = await user('list', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toEqual([expect.objectContaining({ username: 'Jane', admin: false, external: false })]);
    expect(output).not.toContain('argon2');
    const shown = JSON.parse((await user('get', '--login', 'jane', '--json')).output) as object;
    expect([shown]).toEqual(JSON.parse(output));
  });

  it('changes a user whose unconfirmed address another user has', async () => {
    const location = await makeLocation();
    const { storage, stop } = await startTestServer(location);
    const columns = { name: 'Mallory', password_hash: '', admin: 1, alert: 0, external: 0, created: '' } as const;
    const rows = (['mallory', 'chief'] as const).map((name) => ({
      ...columns,
      ...{ username: name, username_key: name, can_create_project: 0, billing: 0, language: null },
      ...{ email: 'chief@corp.example', email_key: 'chief@corp.example', email_proven: name === 'chief' ? 1 : 0 },
    })) as never[];
    await storage.database.write((tx) => tx.insertInto('users').values(rows).execute());
    await stop();
    const user = userOf(location);
    expect(await user('change-by-login', '--login', 'mallory', '--no-admin')).toEqual(made('User mallory changed'));
    const taken = refused('There is already a user with this email address.');
    expect(await user('change-by-login', '--login', 'mallory', '--email', 'chief@corp.example')).toEqual(taken);
  });

  it('changes and deletes users, except for the last admin', async () => {
    const user = userOf(await withState(makeLocation));
    const only = (login: string) => refused(`${login} is the only system administrator. Make another user one first.`);
    await user('add', ...ADD, '--admin');
    expect(await user('delete', '--login', 'jane')).toEqual(only('Jane'));
    expect(await user('change-by-login', '--login', 'jane', '--no-admin')).toEqual(only('Jane'));
    await user('add', '--login', 'bo', '--name', 'Bo', '--email', 'bo@example.com', '--password', 'his password');
    const bo = ['--email', 'bo@example.com'];
    expect(await user('change-by-email', ...bo, '--login', 'JANE')).toEqual(
      refused('There is already a user with this username.'),
    );
    expect(await user('change-by-email', ...bo, '--login', 'bob', '--name', 'Bob', '--admin')).toEqual(
      made('User bo@example.com changed'),
    );
    expect(await user('delete', '--login', 'jane')).toEqual(made('User jane deleted'));
    expect(await user('list')).toEqual(made('bob\tBob\tbo@example.com\tadmin'));
  });

  it('reads a password from standard input, and creates, lists and deletes API tokens', async () => {
    const location = await withState(makeLocation);
    const add = signalbox(location, 'user', 'add', ...ADD.slice(0, 6), '--admin', '--password-stdin');
    add.child.stdin?.end('from input\n');
    expect(await add.ended).toEqual(made('User Jane created'));
    const user = userOf(location);
    const { output } = await user('token', 'create', '--login', 'jane', '--name', 'for scripts');
    expect(output).toMatch(/^sbx_\S{43}\n$/);
    const listed = JSON.parse((await user('token', 'list', '--login', 'jane', '--json')).output) as { id: string }[];
    const prefix = output.slice(0, 10);
    expect(listed).toEqual([expect.objectContaining({ name: 'for scripts', id: prefix, prefix, expires_at: null })]);
    const unusable = await user('token', 'create', '--login', 'jane', '--scope', 'read', '--scope', 'write');
    expect(unusable).toMatchObject({ code: 1, output: expect.stringContaining('scopes.1 must be one of') });
    const later = await user('token', 'create', '--login', 'jane', '--expires', '2020-01-01T00:00:00Z');
    expect(later).toEqual(refused('expires_at must be in the future.'));

    const server = await startTestServer(location);
    const jane = await server.signIn('jane', 'from input');
    await (await sampleProject(jane, 'Shop/EU')).template({ name: 'Deploy' });
    const limits = ['--scope', 'run', '--scope', 'metrics', '--template', 'Shop/EU/Deploy'];
    await user('token', 'create', '--login', 'jane', '--name', 'limited', ...limits);
    await user('token', 'create', '--login', 'jane', '--name', 'of a project', '--project', 'Shop/EU');
    const lines = (await user('token', 'list', '--login', 'jane')).output.split('\n');
    expect(lines[1]).toMatch(/never used\trun,metrics template Deploy$/);
    expect(lines[2]).toMatch(/never used\tproject Shop\/EU$/);
    const get = () =>
      server.anonymous.send({
        method: 'GET',
        url: '/api/user',
        headers: { authorization: `Bearer ${output.trim()}` },
      });
    expect((await get()).json()).toMatchObject({ username: 'Jane' });
    const id = String(listed[0]?.id);
    expect(await user('token', 'delete', '--login', 'jane', '--id', id)).toEqual(made('API token for scripts deleted'));
    expect((await get()).statusCode).toBe(401);
    expect(await user('token', 'delete', '--login', 'jane', '--id', id)).toEqual(
      refused(`Jane has no API token with the id ${id}.`),
    );
  });

  it('refuses weak passwords, and revokes API tokens with a new password unless a flag keeps them', async () => {
    const location = await withState(makeLocation);
    const user = userOf(location);
    const weak = 'This cannot be stored: password must have at least 8 characters.';
    expect(await user('add', ...ADD.slice(0, 7), 'first')).toEqual(refused(weak));
    expect(await user('add', ...ADD.slice(0, 7), 'jane@example.com')).toEqual(
      refused('The password must not be the username or the email address.'),
    );
    await user('add', ...ADD);
    const change = (password: string, ...more: string[]) =>
      user('change-by-login', '--login', 'jane', '--password', password, ...more);
    expect(await change('changeme')).toEqual(
      refused('The password is one of the most common passwords: choose another one.'),
    );
    await user('token', 'create', '--login', 'jane');
    expect(await change('second password', '--keep-tokens')).toEqual(made('Password of jane changed'));
    expect((await user('token', 'list', '--login', 'jane')).output).toContain('API token');
    await change('third password');
    expect((await user('token', 'list', '--login', 'jane')).output).toBe('');
  });

  it('removes the second factor of a user who has lost it', async () => {
    const location = await withState(makeLocation);
    const user = userOf(location);
    await user('add', ...ADD);
    const reset = () => user('second-factor', 'reset', '--login', 'jane');
    expect(await reset()).toEqual(refused('Jane has no second factor.'));
    const server = await startTestServer(location);
    const client = await server.signIn('jane', 'first password');
    await giveFactor(server, 'Jane');
    expect(await user('list')).toMatchObject({ output: expect.stringContaining('jane@example.com\tsecond factor\n') });
    expect(JSON.parse((await user('get', '--login', 'jane', '--json')).output)).toMatchObject({ second_factor: 'on' });
    expect(await reset()).toEqual(made('Second factor of jane reset'));
    expect((await client.get('/user')).statusCode).toBe(401);
    await server.signIn('jane', 'first password');
    const { read } = server.storage.database;
    for (const table of ['second_factor', 'recovery_code'] as const)
      expect(await read.selectFrom(table).select('id').execute(), table).toEqual([]);
    expect(await eventTexts(read)).toContain('Second factor of Jane reset on the command line');
  });

  it('runs each command exactly as the sign-in page shows it, in any folder', async () => {
    const location = await withState(makeLocation);
    const server = signalbox(location, 'server');
    const address = /ready at (\S+)/.exec(await server.printed('shown only once'))?.[1] ?? '';
    const { command } = (await (await fetch(`${address}/api/auth/login`)).json()) as { command: string };
    const shown = [...readFileSync(DIALOG, 'utf8').matchAll(/args: '([^']+)'/g)].map(([, args]) => args ?? '');
    expect(shown).toHaveLength(4);
    // Changes need an existing user, and deletions come last.
    const turn = (args: string): number => Number(!args.startsWith('user add'));
    for (const args of shown.toSorted((one, other) => turn(one) - turn(other))) {
      if (args.includes('second-factor')) await giveFactor(await startTestServer(location), 'john');
      const { code, output } = await typed(`${command} ${args}`, location);
      expect(code, `${args}: ${output}`).toBe(0);
    }
    expect((await typed(`${command} user list`, location)).output.split('\n')).toContain(
      'john\tJohn\tjohn@example.com\tadmin',
    );
  });
});

it.each([
  [['add', '--login', 'x'], "Required option '--name <name>' not specified."],
  [['list', '--nonsense'], "Unknown option '--nonsense'."],
  [['change-by-login', '--login', 'unknown', '--password', 'some password'], 'There is no user unknown.'],
  [['change-by-login', '--login', 'unknown'], 'There is nothing to change. Name a new value.'],
  [['second-factor', 'reset'], 'Give either --login or --email.'],
  [['get'], 'Give either --login or --email.'],
  [['delete', '--login', 'a', '--email', 'b'], 'Give either --login or --email.'],
  [['add', ...ADD.slice(0, 6)], '--password or --password-stdin is missing.'],
  [['add', ...ADD.slice(0, 7), ''], 'The password is empty.'],
  [['token', 'create', '--login', 'unknown'], 'There is no user unknown.'],
])('signalbox user refuses %j', async (args, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const location = { folder, databaseUrl: undefined };
  await makeEmptyState(location);
  expect(await signalbox(location, 'user', ...args).ended).toEqual(refused(text));
});
