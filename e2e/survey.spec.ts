import { expect, type Locator, type Page } from '@playwright/test';
import type { BodyInput, RouteTable } from '@signalbox/contract';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import type { Product } from '../tooling/product/product.ts';
import { expectAccessible, signIn } from './console.ts';
import { Keyboard } from './screens/keyboard.ts';
import { test } from './worker-product.ts';

const PLAYBOOK = '- hosts: all\n  gather_facts: false\n  tasks:\n    - debug: { msg: "answered" }\n';

type Variable = NonNullable<BodyInput<RouteTable['createTemplate']>['survey_vars']>[number];
const ZONES = [{ value: 'fra' }, { value: 'ber' }, { value: 'muc' }, { value: 'ham' }, { value: 'cgn' }];

/** Twenty variables of every type, in three groups, some of which depend on others. */
const SURVEY: readonly Variable[] = [
  { name: 'owner', title: 'Owner', type: '', required: true, min: 3 },
  { name: 'notes', title: 'Notes', type: 'multiline' },
  { name: 'version', title: 'Version', type: '', required: true, pattern: '\\d+\\.\\d+', pattern_message: 'like 2.4' },
  { name: 'hosts', title: 'Hosts at once', type: 'int', min: 1, max: 50, group: 'Rollout' },
  { name: 'ratio', title: 'Share', type: 'decimal', min: 0, max: 1, group: 'Rollout' },
  { name: 'zone', title: 'Zone', type: 'enum', values: ZONES, group: 'Rollout' },
  { name: 'zones', title: 'Other zones', type: 'multiple', values: ZONES, group: 'Rollout' },
  {
    name: 'size',
    title: 'Size',
    type: 'enum',
    required: true,
    values: [{ value: 'small' }, { value: 'big' }],
    group: 'Rollout',
  },
  { name: 'restart', title: 'Restart', type: 'bool', group: 'Restart' },
  {
    name: 'delay',
    title: 'Delay',
    type: 'int',
    group: 'Restart',
    show_when: { variable: 'restart', values: ['true'] },
  },
  { name: 'why', title: 'Why', type: '', group: 'Restart', show_when: { variable: 'size', values: ['big'] } },
  { name: 'day', title: 'Day', type: 'date', group: 'Restart' },
  { name: 'moment', title: 'Moment', type: 'datetime', group: 'Restart' },
  { name: 'password', title: 'Password', type: 'secret', group: 'Restart' },
  ...['one', 'two', 'three', 'four', 'five', 'six'].map((name) => ({
    name,
    title: `Extra ${name}`,
    type: '' as const,
  })),
];

/** The answers that both ways of filling the form give. */
const ANSWERS = {
  owner: 'mara',
  notes: 'line',
  version: '2.4',
  hosts: 8,
  ratio: 0.5,
  zone: 'muc',
  zones: ['ber', 'ham'],
  size: 'big',
  restart: true,
  delay: 5,
  why: 'disk',
  day: '2026-12-24',
  six: 'last',
};

const start = async (product: Product) => {
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Asked', { 'site.yml': PLAYBOOK });
  await project.template('site.yml', { name: 'Ask', survey_vars: [...SURVEY] });
  const templates = `${product.address}/project/${project.params.project_id}/templates`;
  const stored = async () => {
    const [task] = await client.call('listTasks', { params: project.params });
    return JSON.parse(task?.environment ?? '{}') as object;
  };
  return { templates, stored };
};

/** Fills the form with the keyboard alone. */
const byKeys = async (page: Page, dialog: Locator): Promise<void> => {
  const keys = new Keyboard(page);
  const field = (name: string | RegExp) => dialog.getByRole('textbox', { name });
  const type = async (name: string | RegExp, text: string) => {
    await keys.to(field(name));
    await keys.type(text);
  };
  await type(/^Owner/, 'mara');
  await type(/^Notes/, 'line');
  await type(/^Version/, '2.4');
  await type(/^Hosts at once/, '8');
  await type(/^Share/, '0.5');
  await keys.pick(dialog.getByRole('combobox', { name: /^Zone/ }), 'muc');
  for (const zone of ['ber', 'ham']) {
    await keys.to(dialog.getByRole('checkbox', { name: zone, exact: true }));
    await keys.press('Space');
  }
  await keys.to(dialog.getByRole('radio', { name: 'small', exact: true }));
  await keys.press('ArrowRight');
  await keys.to(dialog.getByRole('checkbox', { name: /^Restart/ }));
  await keys.press('Space');
  await type(/^Delay/, '5');
  await type(/^Why/, 'disk');
  await keys.to(dialog.getByLabel(/^Day/));
  // The browser has a field for each part of a date, in the order of its language.
  await keys.type('12242026');
  await keys.to(dialog.getByLabel(/^Password/));
  await keys.type('only now');
  await type(/^Extra six/, 'last');
};

/** Fills the form with a pointer. */
const byPointer = async (_page: Page, dialog: Locator): Promise<void> => {
  const field = (name: RegExp) => dialog.getByRole('textbox', { name });
  await field(/^Owner/).fill('mara');
  await field(/^Notes/).fill('line');
  await field(/^Version/).fill('2.4');
  await field(/^Hosts at once/).fill('8');
  await field(/^Share/).fill('0.5');
  await dialog.getByRole('combobox', { name: /^Zone/ }).click();
  await dialog.page().getByRole('option', { name: 'muc', exact: true }).click();
  for (const choice of ['ber', 'ham', 'big']) await dialog.locator('label').getByText(choice, { exact: true }).click();
  await dialog.getByRole('checkbox', { name: /^Restart/ }).click();
  await field(/^Delay/).fill('5');
  await field(/^Why/).fill('disk');
  await dialog.getByLabel(/^Day/).fill('2026-12-24');
  await dialog.getByLabel(/^Password/).fill('only now');
  await field(/^Extra six/).fill('last');
};

test('a survey of twenty variables with conditions is answered by keyboard, and by touch on a phone in the dark', async ({
  browser,
  product,
}) => {
  test.setTimeout(180_000);
  const { templates, stored } = await start(product);
  for (const { fill, options } of [
    { fill: byKeys, options: { viewport: { width: 1280, height: 800 } } },
    { fill: byPointer, options: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const } },
  ]) {
    const page = await (await browser.newContext({ ...options, locale: 'en-US' })).newPage();
    await signIn(page, product.address, 'admin', product.adminPassword);
    await page.goto(templates);
    await page.getByRole('link', { name: 'Run Ask' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel(/^Owner/)).toBeVisible();
    await expect(dialog.getByLabel(/^Delay/)).toBeHidden();
    await dialog.getByRole('button', { name: /^Run/ }).press('Enter');
    await expect(dialog.getByText('Owner is required')).toBeVisible();
    await fill(page, dialog);
    await expectAccessible(page, `the survey at ${options.viewport.width} px`);
    await dialog.getByRole('button', { name: /^Run/ }).press('Enter');
    await expect(dialog.getByRole('tab', { name: 'Details' })).toBeVisible();
    expect(await stored()).toEqual(ANSWERS);
    await page.context().close();
  }
});
