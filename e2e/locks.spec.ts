import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { expectAccessible, signIn } from './console.ts';

const WAITING = '- hosts: all\n  gather_facts: false\n  tasks:\n    - pause: { seconds: 20 }\n';
const QUICK = '- hosts: all\n  gather_facts: false\n  tasks: []\n';

test('a lock is set in a template, and a task that waits for it links to the task that holds it', async ({ page }) => {
  test.setTimeout(120_000);
  const product = await Product.start();
  try {
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
  } finally {
    await product.dispose();
  }
});
