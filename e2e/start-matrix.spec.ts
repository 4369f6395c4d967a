import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, test } from '@playwright/test';
import { ApiClient } from '../tooling/product/api-client.ts';
import { signalbox } from '../tooling/product/command.ts';
import { Product } from '../tooling/product/product.ts';
import { expectAccessible, signIn } from './console.ts';
import {
  ANSWERS,
  ARRIVED,
  arrived,
  CANARY,
  type MatrixProject,
  matrixProject,
  OPTIONS,
  TITLES,
} from './matrix/matrix-project.ts';
import { Keyboard } from './screens/keyboard.ts';

let product: Product;
let matrix: MatrixProject;

test.beforeAll(async () => {
  product = await Product.start();
  matrix = await matrixProject(product);
});
test.afterAll(() => product.dispose());

const answered = (answers: object): string[] =>
  Object.entries(answers).flatMap(([name, answer]) => ['--var', `${name}=${answer}`]);

const WRONG_ANSWERS = {
  ...{ text: 'ABC', lines: 'a\nb\nc\nd', count: 10, share: 'half', restart: 'perhaps', size: 'z', zones: 'a' },
  ...{ day: '24.12.2026', moment: 'soon', token: 'short' },
};

/** Every option of the command with a value that differs from the template. */
const SET = [
  ...['--limit', 'localhost', '--tag', 'deploy', '--skip-tag', 'slow', '--verbosity', '2', '--forks', '7'],
  ...['--dry-run', '--diff', '--inventory', 'Other inventory', '--environment', 'Other environment'],
  ...['--branch', 'release', '--vault', 'prod=Right vault', '--time-limit', '2', '--runner-tag', 'frankfurt'],
  ...['--priority', '3', '--argument', '-e', '--argument', 'extra=yes'],
];

/** Options that the server refuses, with the names that its message has. */
const WRONG_OPTIONS = [
  ...['--limit', '-x', '--tag', ' ', '--skip-tag', ' ', '--verbosity', '9', '--forks', '0', '--branch', '-x'],
  ...['--time-limit', '999999', '--runner-tag', 'a b', '--priority', '11', '--commit', 'latest'],
];
const WRONG_NAMES = [
  ...['limit', 'tags', 'skip_tags', 'verbosity', 'forks', 'git_branch', 'max_duration', 'runner_tags', 'priority'],
  'commit_hash',
];

test('signalbox run takes an answer of each type and each option, and names all that it refuses', async () => {
  const { project, commit, values } = matrix;
  const client = await product.client();
  const tokenOf = async (user: ApiClient) => (await user.call('createToken', { body: { name: 'for runs' } })).token;
  const settings = { SIGNALBOX_SERVER: product.address, SIGNALBOX_TOKEN: await tokenOf(client) };
  const secret = join(product.folder, 'token');
  writeFileSync(secret, `${CANARY}\n`);
  const good = [...answered(ANSWERS), '--var-file', `token=${secret}`];
  const run = (template: string, args: readonly string[], more = {}) =>
    signalbox(['run', `Matrix/${template}`, ...args], { ...settings, ...more }).ended;

  await test.step('what is right arrives in the run', async () => {
    const { code, out, err } = await run('Open', [...good, ...SET, '--commit', commit]);
    expect({ code, err }).toEqual({ code: 0, err: 'Task #1 of Open\nTask #1: success\n' });
    expect(await arrived(project, 1)).toEqual(ARRIVED);
    const task = await project.task(1);
    expect(task).toMatchObject({ ...values, commit_hash: commit, status: 'success' });
    expect(JSON.parse(task.environment)).toEqual(ANSWERS);
    const [events, log] = [await client.call('listEvents', { params: project.params }), await project.rawLog(1)];
    expect(JSON.stringify([out, task, events, log])).not.toContain(CANARY);
  });

  await test.step('what is wrong or fixed is refused by name', async () => {
    const { id } = await client.call('createUser', {
      body: { name: 'Rita', username: 'rita', email: 'rita@example.com', password: 'right horse' },
    });
    await client.call('addProjectUser', { params: project.params, body: { user_id: id, role: 'task_runner' } });
    const runner = new ApiClient(product.address);
    await runner.signIn('rita', 'right horse');
    const ofRunner = { SIGNALBOX_TOKEN: await tokenOf(runner) };
    const cases: [template: string, args: string[], refused: readonly string[] | string, more?: object][] = [
      ['Open', answered(WRONG_ANSWERS), TITLES],
      ['Open', [...good, ...WRONG_OPTIONS], WRONG_NAMES],
      ['Fixed', [...good, ...SET], [...OPTIONS, 'arguments']],
      ['Fixed', [...good, '--commit', commit], 'Your role can only run commits', ofRunner],
      ['Open', [...good, '--inventory', 'Nothing'], 'There is no inventory Nothing'],
      ['Open', [...good, '--environment', 'Nothing'], 'There is no environment Nothing'],
      ['Open', [...good, '--vault', 'prod=Nothing'], 'There is no key Nothing'],
      ['Open', [...good, '--vault', 'prod=None'], 'vaults.0.vault_key_id must be'],
      ['Open', [...good, '--forks', 'many'], '--forks must be'],
      ['Open', [...good, '--time-limit', 'long'], '--time-limit must be'],
    ];
    for (let first = 0; first < cases.length; first += 2)
      await Promise.all(
        cases.slice(first, first + 2).map(async ([template, args, refused, more]) => {
          const { code, out, err } = await run(template, args, more);
          expect({ code, out }, err).toEqual({ code: 1, out: '' });
          if (typeof refused === 'string') return expect(err).toContain(refused);
          const named = err.split('; ').map((one) => one.split(/[ :.]/)[0] ?? '');
          expect(named.toSorted()).toEqual(refused.toSorted());
          expect(err).not.toContain('[object');
        }),
      );
    expect(await client.call('listTasks', { params: project.params })).toHaveLength(1);
  });
});

/** The start of the label of the button of each option in the new task dialog. */
const OPTION_BUTTONS = [
  ...['Branch or tag', 'Limit to hosts', 'Inventory', 'Environment', 'Steps', 'Hosts at once', 'Dry run', 'Diff'],
  ...['Verbosity', 'Vault passwords', 'Runner tags', 'Priority', 'Time limit in minutes'],
];

const PAGE_TIMEOUT_MS = 120_000;

test('the new task dialog takes an answer of each type and each option by keyboard, and refuses at the field', async ({
  page,
}) => {
  test.setTimeout(PAGE_TIMEOUT_MS);
  const { project, commit, values } = matrix;
  const answers: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/')) answers.push(response.text().catch(() => ''));
  });
  const keys = new Keyboard(page);
  const dialog = page.getByRole('dialog');
  const box = (name: string) => dialog.getByRole('textbox', { name: new RegExp(`^${name}`) });
  const combo = (name: string) => dialog.getByRole('combobox', { name: new RegExp(`^${name}`) });
  const button = (name: string) => dialog.getByRole('button', { name: new RegExp(`^${name}:`) });
  const type = async (field: Locator, text: string) => {
    await keys.to(field);
    await keys.press('Control+a');
    await keys.type(text);
  };
  const open = async (template: string) => {
    await page.goto(`${product.address}/project/${project.params.project_id}/templates`);
    await page.getByRole('link', { name: `Run ${template}` }).press('Enter');
    await expect(box('Text')).toBeVisible();
  };
  await signIn(page, product.address, 'admin', product.adminPassword);

  await test.step('what the template fixes is not offered', async () => {
    await open('Fixed');
    for (const name of OPTION_BUTTONS) await expect(button(name), name).toHaveCount(0);
    await expect(box('Arguments')).toHaveCount(0);
  });

  await test.step('a wrong answer of each type is refused at its field', async () => {
    await open('Open');
    await type(box('Text'), 'ABC');
    await type(box('Lines'), 'abcdef');
    await type(box('Count'), '10');
    await type(box('Share'), 'half');
    await keys.to(dialog.getByRole('checkbox', { name: 'a', exact: true }));
    await keys.press('Space');
    await type(dialog.getByLabel(/^Token/), 'short');
    await keys.press('Enter');
    await expect(box('Text')).toBeFocused();
    const refusals: [Locator, string][] = [
      [box('Text'), 'Text must match'],
      [box('Lines'), 'Lines must not be longer than 5 characters'],
      [box('Count'), 'Count must be at most 9'],
      [box('Share'), 'Share must be a number'],
      [combo('Size'), 'Size is required'],
      [dialog.getByRole('group', { name: /^Zones/ }), 'Zones: choose at least 2'],
      [dialog.getByLabel(/^Day/), 'Day is required'],
      [dialog.getByLabel(/^Moment/), 'Moment is required'],
      [dialog.getByLabel(/^Token/), 'Token must have at least 8 characters'],
    ];
    for (const [field, message] of refusals) await expect(field).toHaveAccessibleDescription(new RegExp(message));
  });

  await test.step('what is right arrives in the run', async () => {
    await keys.enter(button('Branch or tag'));
    await type(combo('Branch or tag'), 'v1');
    await type(box('Commit'), commit);
    await keys.enter(button('Limit to hosts'));
    await type(combo('Limit to hosts'), 'localhost');
    await keys.enter(button('Inventory'));
    await keys.pick(combo('Inventory'), 'Other inventory');
    await keys.enter(button('Environment'));
    await keys.pick(combo('Environment'), 'Other environment');
    await keys.enter(button('Steps'));
    await type(combo('Only tags'), 'deploy,');
    await type(combo('Skip tags'), 'slow,');
    await keys.enter(button('Hosts at once'));
    await type(box('Hosts at once'), '7');
    await keys.enter(button('Dry run'));
    await keys.enter(button('Diff'));
    await keys.enter(button('Verbosity'));
    await keys.to(dialog.getByRole('radio', { name: 'Normal' }));
    await keys.press('ArrowRight', 'ArrowRight');
    await keys.enter(button('Vault passwords'));
    await keys.pick(combo('Password of the vault prod'), 'Right vault');
    await keys.enter(button('Runner tags'));
    await type(combo('Runner tags'), 'frankfurt,');
    await keys.enter(button('Priority'));
    await keys.pick(combo('Priority'), '+3');
    await keys.enter(button('Time limit in minutes'));
    await type(box('Time limit in minutes'), '2');
    await type(box('Text'), 'abc');
    await type(box('Lines'), 'a');
    await keys.press('Enter');
    await keys.type('b');
    await type(box('Count'), '5');
    await type(box('Share'), '0.5');
    await keys.to(dialog.getByRole('checkbox', { name: /^Restart/ }));
    await keys.press('Space');
    await keys.pick(combo('Size'), 'a');
    await keys.to(dialog.getByRole('checkbox', { name: 'b', exact: true }));
    await keys.press('Space');
    // The browser has a field for each part of a date, in the order of its language.
    await keys.to(dialog.getByLabel(/^Day/));
    await keys.type('12242026');
    await keys.to(dialog.getByLabel(/^Moment/));
    await keys.type('12242026');
    await keys.press('ArrowRight');
    await keys.type('073000AM');
    await type(dialog.getByLabel(/^Token/), CANARY);
    await type(box('Arguments'), '["-e","extra=yes"]');
    await expectAccessible(page, 'the new task dialog with every option');
    await keys.to(dialog.getByRole('button', { name: /^Run on 1 host/ }));
    await keys.press('Enter');
    await expect(dialog.getByRole('tab', { name: 'Details' })).toBeVisible();
    const [started] = await project.client.call('listTasks', { params: project.params });
    const task = await project.ended(started?.id ?? 0);
    expect(task).toMatchObject({ ...values, git_branch: 'v1', commit_hash: commit, status: 'success' });
    expect(await arrived(project, task.id)).toEqual(ARRIVED);
    expect(JSON.parse(task.environment)).toEqual(ANSWERS);
    await expect(dialog.getByText('Success', { exact: true }).first()).toBeVisible();
    const shown = [await page.content(), ...(await Promise.all(answers)), ...(await project.rawLog(task.id))];
    expect(shown.filter((text) => text.includes(CANARY))).toEqual([]);
  });
});
