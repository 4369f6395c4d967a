import { expect, type Page } from '@playwright/test';
import { makeRepository } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const choose = async (page: Page, field: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: field, exact: true }).last().click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

const FORM = {
  repository: 'New repository',
  key: 'New key',
  inventory: 'New inventory',
  environment: 'New environment',
};

test('a template of an empty project is created in one form, with everything that it uses', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000);
  const client = await product.client();
  const { id } = await client.call('createProject', { body: { name: 'Empty' } });
  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(`${product.address}/project/${id}/templates/new`);
  await page.getByLabel('Name', { exact: true }).fill('Ping');

  const dialog = (name: string) => page.getByRole('dialog', { name });
  await choose(page, 'Repository', FORM.repository);
  const repository = dialog(FORM.repository);
  await repository.getByLabel('Name', { exact: true }).fill('Plays');
  await repository.getByLabel('URL or path').fill(makeRepository({ 'ping.yml': '- hosts: all\n' }));
  await choose(page, 'Access key', FORM.key);
  const key = dialog(FORM.key);
  await key.getByLabel('Name', { exact: true }).fill('No login');
  await choose(page, 'Type', 'None');
  await expectAccessible(page, 'a new key over a new repository over a new template');
  await key.getByRole('button', { name: 'Save key' }).click();
  await expect(key).toBeHidden();
  await expect(repository.getByRole('combobox', { name: 'Access key' })).toHaveValue('No login');
  await repository.getByRole('button', { name: 'Save repository' }).click();
  await expect(repository).toBeHidden();

  await choose(page, 'Inventory', FORM.inventory);
  const inventory = dialog(FORM.inventory);
  await inventory.getByLabel('Name', { exact: true }).fill('Hosts');
  await choose(page, 'User credentials', 'No login');
  await inventory.getByRole('button', { name: 'Save inventory' }).click();
  await expect(inventory).toBeHidden();
  await choose(page, 'Environment', FORM.environment);
  // Escape leaves the new object, and not the form.
  await expect(dialog(FORM.environment)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(FORM.environment)).toBeHidden();
  await choose(page, 'Environment', FORM.environment);
  await dialog(FORM.environment).getByLabel('Name', { exact: true }).fill('Live');
  await dialog(FORM.environment).getByRole('button', { name: 'Save environment' }).click();
  await expect(dialog(FORM.environment)).toBeHidden();

  await page.getByRole('combobox', { name: 'Playbook filename' }).fill('ping.yml');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Save template' }).click();
  await expect(page.getByRole('heading', { name: 'Ping', level: 1 })).toBeVisible();
  const [template] = await client.call('listTemplates', { params: { project_id: id } });
  expect(template).toMatchObject({ name: 'Ping', playbook: 'ping.yml' });
});

test('the playbooks that a runner finds in a repository become templates, and the first one runs', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000);
  const client = await product.client();
  const { id } = await client.call('createProject', { body: { name: 'Found' } });
  const params = { project_id: id };
  const key = await client.call('createKey', { params, body: { name: 'No login', type: 'none' } });
  const play = (name: string) => `- name: ${name}\n  hosts: all\n  gather_facts: false\n  tasks: []\n`;
  const git_url = makeRepository({
    'ping.yml': play('Ping all hosts'),
    'deploy/web.yml': play('Deploy the site'),
    'roles/web/tasks/main.yml': '- ansible.builtin.debug:\n',
    'hosts.ini': '[web]\nlocalhost ansible_connection=local\n',
  });
  const body = { name: 'Plays', git_url, git_branch: 'main', ssh_key_id: key.id };
  await client.call('createRepository', { params, body });
  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(`${product.address}/project/${id}/history`);
  const steps = page.getByRole('list', { name: 'Steps to the first run' }).getByRole('listitem');
  const step = (name: string) => steps.filter({ has: page.getByRole('heading', { name, exact: true }) });
  await expect(step('Inventory')).toHaveAttribute('aria-current', 'step');
  await step('Repository').getByRole('link', { name: 'Plays' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Find playbooks' }).click();

  await expect(page.getByRole('checkbox')).toHaveCount(2);
  await expect(page.getByRole('checkbox', { name: 'deploy/web.yml' })).toBeChecked();
  await choose(page, 'Inventory', 'hosts.ini, a file in the repository');
  await choose(page, 'User credentials', 'No login');
  await expectAccessible(page, 'the playbooks of a repository');
  await page.getByRole('textbox', { name: 'Name of the template for deploy/web.yml' }).fill('Site');
  await page.getByRole('button', { name: 'Create 2 templates' }).click();

  await expect(page.getByRole('heading', { name: 'Task Templates', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Run Site' })).toHaveCount(1);
  await page.goto(`${product.address}/project/${id}/overview`);
  await expect(page.getByRole('heading', { name: 'No tasks in Found' })).toBeVisible();
  await expect(step('Template').getByRole('link')).toHaveText(['Ping all hosts', 'Site']);
  await step('First run').getByRole('link').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('dialog').getByText('Success').first()).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'No tasks in Found' })).toBeHidden();
});
