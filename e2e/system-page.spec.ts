import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { expectAccessible, signIn } from './console.ts';
import { fromUserMenu } from './screens/steps.ts';

test('the System page shows that no runner is connected, and leads to the tasks that wait for one', async ({
  page,
}) => {
  const product = await Product.start({ SIGNALBOX_RUNNER_SLOTS: '0' });
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Zones', { 'site.yml': '- hosts: all\n  tasks: []\n' });
    const { id } = await project.run(await project.template('site.yml'));
    await signIn(page, product.address, 'admin', product.adminPassword);
    await page.goto(`${product.address}/project/${project.params.project_id}/templates`);
    await fromUserMenu('System')(page);
    await expect(page.getByRole('heading', { name: 'System', exact: true })).toBeVisible();
    await expect(page.getByText('1 waiting task has no runner that can run it.')).toBeVisible();
    await expect(page.getByText('There is no backup yet.')).toBeVisible();
    await expectAccessible(page, 'the System page');
    await page.getByRole('link', { name: 'No runner is connected' }).click();
    await expect(page).toHaveURL(/\/tasks\?q=no_runner$/);
    await page.getByRole('link', { name: `#${id}` }).click();
    await page.getByRole('link', { name: 'Show runners' }).click();
    await expect(page.getByRole('heading', { name: 'Runners' })).toBeVisible();
  } finally {
    await product.dispose();
  }
});
