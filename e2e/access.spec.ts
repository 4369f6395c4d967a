import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const PLAYBOOK = '- hosts: all\n  gather_facts: false\n  tasks:\n    - debug: { msg: "deployed" }\n';

test('an owner restricts a template and grants a guest to run it on some hosts, which takes effect at once', async ({
  page,
  browser,
  product,
}) => {
  test.setTimeout(180_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Granted', { 'site.yml': PLAYBOOK });
  await project.template('site.yml', { name: 'Deploy', prompts: { limit: 'any' } });
  const user = { name: 'Ivo', username: 'ivo', email: 'ivo@example.com', password: 'a long password' };
  const { id: user_id } = await client.call('createUser', { body: user });
  await client.call('addProjectUser', { params: project.params, body: { user_id, role: 'guest' } });
  const guest = await (await browser.newContext()).newPage();
  await signIn(guest, product.address, user.username, user.password);
  const templates = `${product.address}/project/${project.params.project_id}/templates`;
  await guest.goto(templates);
  await expect(guest.getByRole('link', { name: 'Deploy', exact: true })).toBeVisible();

  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(templates);
  await page.getByRole('link', { name: 'Deploy', exact: true }).click();
  await page.getByRole('link', { name: 'Access' }).click();
  const restricted = page.getByRole('switch', { name: /^Restricted/ });
  await restricted.click();
  await expect(restricted).toBeChecked();
  // The open page of the guest loses the template.
  await expect(guest.getByRole('link', { name: 'Deploy', exact: true })).toBeHidden();

  await page.getByRole('button', { name: 'Grant access' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'User' }).click();
  await page.getByRole('option', { name: 'Ivo' }).click();
  await dialog.getByLabel('Only on these hosts').fill('localhost');
  await expectAccessible(page, 'the form of a grant');
  await dialog.getByRole('button', { name: 'Save grant' }).click();
  await expect(page.getByRole('row', { name: /^Ivo/ }).first()).toContainText('Limited');
  await page.getByRole('button', { name: 'Ivo', exact: true }).click();
  await expect(page.getByText(/^A grant by admin permits: See and Run/)).toBeVisible();
  await expectAccessible(page, 'the page Access');

  await guest.getByRole('link', { name: 'Run Deploy' }).click();
  const newTask = guest.getByRole('dialog');
  await expect(newTask.getByText('A grant lets you run this only with: hosts localhost.')).toBeVisible();
  await newTask.getByRole('button', { name: /^Run/ }).click();
  await expect(guest.getByText('Success').first()).toBeVisible({ timeout: 60_000 });
  const [task] = await client.call('listTasks', { params: project.params });
  expect(task).toMatchObject({ limit: 'localhost', user_name: 'Ivo', status: 'success' });
});
