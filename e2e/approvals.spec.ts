import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const PLAYBOOK = '- hosts: all\n  gather_facts: false\n  tasks:\n    - debug: { msg: "hardened" }\n';

test('a task runner starts a task that someone else approves, and another one that is rejected', async ({
  page,
  browser,
  product,
}) => {
  test.setTimeout(180_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Approvals', { 'site.yml': PLAYBOOK });
  await project.template('site.yml', { name: 'Harden SSH' });
  const user = { name: 'Ana', username: 'ana', email: 'ana@example.com', password: 'a long password' };
  const { id: user_id } = await client.call('createUser', { body: user });
  await client.call('addProjectUser', { params: project.params, body: { user_id, role: 'task_runner' } });
  const address = `${product.address}/project/${project.params.project_id}`;

  // The owner asks for an approval in the form of the template.
  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(`${address}/templates`);
  await page.getByRole('link', { name: 'Harden SSH', exact: true }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('combobox', { name: 'Approval' }).click();
  await page.getByRole('option', { name: 'By someone other than who starts it' }).click();
  await page.getByRole('button', { name: 'Save template' }).click();
  await expect(page.getByRole('definition').filter({ hasText: 'By someone other than who starts it' })).toBeVisible();

  const ana = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await signIn(ana, product.address, user.username, user.password);
  const start = async (message: string) => {
    await ana.goto(`${address}/templates`);
    await ana.getByRole('link', { name: 'Run Harden SSH' }).click();
    const dialog = ana.getByRole('dialog');
    await expect(dialog.getByText('The task waits until someone else approves it.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Message' }).fill(message);
    await dialog.getByRole('button', { name: /^Run/ }).click();
    await expect(ana.getByText('Waiting for approval').first()).toBeVisible();
    await expect(ana.getByText('You started this task, so someone else must approve it.')).toBeVisible();
    await expect(ana.getByRole('button', { name: 'Approve and start' })).toBeHidden();
  };
  await start('Close password logins');
  const idOf = async (message: string): Promise<number> => {
    const tasks = await client.call('listTasks', { params: project.params });
    return tasks.find((task) => task.message === message)?.id ?? 0;
  };
  await expectAccessible(ana, 'a task that waits for an approval');

  // The owner finds it among the active tasks, and approves it by keyboard.
  await page.goto(`${product.address}/tasks`);
  await expect(page.getByText(/^Someone other than Ana/)).toBeVisible();
  await page.getByRole('link', { name: `Approve #${await idOf('Close password logins')} ` }).click();
  await expect(page.getByText(/^Someone other than Ana/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Comment' }).focus();
  await page.keyboard.type('Checked with the owners');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Approve and start' })).toBeFocused();
  await expectAccessible(page, 'the form of an approval');
  await page.keyboard.press('Enter');
  await expect(ana.locator('b[data-status]')).toHaveText('Success', { timeout: 60_000 });

  await start('Once more');
  await page.goto(`${address}/tasks/${await idOf('Once more')}`);
  await page.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByRole('textbox', { name: 'Comment' })).toBeFocused();
  await page.keyboard.type('Not before the audit');
  await page.getByRole('button', { name: 'Reject' }).click();
  await expect(ana.locator('b[data-status]')).toHaveText('Stopped');
  await expect(ana.getByText('Rejected by admin: Not before the audit')).toBeVisible();
  const events = await client.call('listLastEvents', { params: project.params });
  expect(events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['task.approved_with_comment', 'task.rejected']),
  );
});
