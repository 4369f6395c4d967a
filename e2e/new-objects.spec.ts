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
