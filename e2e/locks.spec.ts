import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const WAITING = '- hosts: all\n  gather_facts: false\n  tasks:\n    - pause: { seconds: 20 }\n';
const QUICK = '- hosts: all\n  gather_facts: false\n  tasks: []\n';

test('a lock is set in a template, and a task that waits for it links to the task that holds it', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Shop', { 'migrate.yml': WAITING, 'deploy.yml': QUICK });
  await product.runnerReady(client);
  const survey_vars = [{ name: 'env', title: 'Environment', type: '' as const, required: true }];
  const migrate = await project.template('migrate.yml', { survey_vars, locks: ['db-{{ env }}'] });
  const deploy = await project.template('deploy.yml');

  await signIn(page, product.address, 'admin', product.adminPassword);
  const base = `${product.address}/project/${project.params.project_id}`;
  await page.goto(`${base}/templates/${deploy}/edit`);
  const locks = page.getByRole('combobox', { name: 'Locks' });
  await locks.fill('db-{{ env }}');
  await locks.press('Enter');
  await page.getByRole('button', { name: 'Save template' }).click();
  await expect(page.getByText(/contains the variable env/).first()).toBeVisible();
  await locks.press('Backspace');
  await locks.fill('db-prod');
  await locks.press('Enter');
  await expectAccessible(page, 'the form with a lock');
  await page.getByRole('button', { name: 'Save template' }).click();
  await expect(locks).toBeHidden();

  const holder = await project.run(migrate, { environment: JSON.stringify({ env: 'prod' }) });
  await expect.poll(async () => (await project.task(holder.id)).status).toBe('running');
  const waiting = await project.run(deploy);
  await page.goto(`${base}/tasks/${waiting.id}`);
  const link = page.getByRole('link', { name: new RegExp(`#${holder.id}`) });
  await expect(link).toBeVisible();
  await expect(page.getByText(/has held the lock db-prod since/)).toBeVisible();
  await expectAccessible(page, 'the task that waits for a lock');
  await link.click();
  await page.getByRole('button', { name: 'Stop' }).first().click();
  expect(await project.ended(waiting.id)).toMatchObject({ status: 'success', locks: ['db-prod'] });
});

const HOSTS = ['db-01', 'web-01', 'web-02'].map((host) => `${host} ansible_connection=local\n`).join('');
const RESTART = WAITING.replace('hosts: all', 'hosts: web-*');

test('the hosts of a run are locked, and a task that waits for one links to the task that has locked it', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Shop', { 'restart.yml': RESTART, 'deploy.yml': QUICK });
  await product.runnerReady(client);
  const inventory_id = await project.inventory(HOSTS);
  const restart = await project.template('restart.yml', { inventory_id, lock_hosts: true });
  const deploy = await project.template('deploy.yml', { inventory_id });

  await signIn(page, product.address, 'admin', product.adminPassword);
  const base = `${product.address}/project/${project.params.project_id}`;
  await page.goto(`${base}/templates/${deploy}/edit`);
  const box = page.getByRole('checkbox', { name: 'Lock the hosts of the run' });
  await box.focus();
  await page.keyboard.press('Space');
  await expect(box).toBeChecked();
  await expectAccessible(page, 'the form of a template that locks hosts');
  await page.getByRole('button', { name: 'Save template' }).click();
  await expect(box).toBeHidden();

  const holder = await project.run(restart);
  await expect.poll(async () => (await project.task(holder.id)).status, { timeout: 30_000 }).toBe('running');
  const waiting = await project.run(deploy);
  await page.goto(`${base}/tasks/${waiting.id}`);
  await expect(page.getByText(/has locked web-01, web-02 since/)).toBeVisible({ timeout: 30_000 });
  const link = page.getByRole('link', { name: new RegExp(`#${holder.id} `) });
  await expectAccessible(page, 'the task that waits for a host');
  await link.click();
  await page.getByRole('button', { name: 'Stop' }).first().click();
  expect(await project.ended(waiting.id)).toMatchObject({ status: 'success', lock_hosts: true });
});
