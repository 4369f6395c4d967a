import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { signIn } from './console.ts';

const FILES = { 'hello.yml': '- name: Hello\n  hosts: all\n  tasks: []\n' };
const CHANGED = 'battery staple';

test('the session ends while a form is half filled: the user signs in again over the form and loses nothing', async ({
  page,
}) => {
  const product = await Product.start();
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Half filled', FILES);
    await signIn(page, product.address, 'admin', product.adminPassword);
    const keys = `${product.address}/project/${project.params.project_id}/keys?edit=new`;
    await page.goto(keys);
    const form = page.getByRole('dialog', { name: 'New key' });
    const name = form.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Half a key');
    await form.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Login with password' }).click();
    await form.getByLabel('Password', { exact: true }).fill('a long password');

    // The password is changed in another session. All other sessions of the user end, and the page gets a message.
    const { id } = await client.call('currentUser');
    await client.call('changePassword', {
      params: { user_id: id },
      body: { password: CHANGED, current_password: product.adminPassword },
    });
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await expect(again).toBeVisible();
    await expect(again.getByLabel('Username or email')).toHaveValue('admin');

    await again.getByLabel('Password', { exact: true }).fill('not this one');
    await page.keyboard.press('Enter');
    await expect(again.getByRole('alert')).toBeVisible();
    await again.getByLabel('Password', { exact: true }).fill(CHANGED);
    await page.keyboard.press('Enter');
    await expect(again).toBeHidden();

    await expect(page).toHaveURL(keys);
    await expect(name).toHaveValue('Half a key');
    await expect(form.getByLabel('Password', { exact: true })).toHaveValue('a long password');
    await form.locator('button[type="submit"]').click();
    await expect(form).toBeHidden();
    const row = page.getByRole('row').filter({ hasText: 'Half a key' });
    await expect(row).toContainText('Login with password');
    const stored = await client.call('listKeys', { params: project.params });
    expect(stored.map((key) => [key.name, key.type])).toContainEqual(['Half a key', 'login_password']);

    // The live connection is open again.
    await expect(page.getByText(/The live connection was lost/)).toBeHidden();
    await client.call('createKey', { params: project.params, body: { name: 'From elsewhere', type: 'none' } });
    await expect(page.getByRole('row').filter({ hasText: 'From elsewhere' })).toBeVisible();
  } finally {
    await product.dispose();
  }
});
