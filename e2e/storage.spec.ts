import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product, until } from '../tooling/product/product.ts';
import { expectAccessible, signIn } from './console.ts';

const PLAYBOOK = `- hosts: all
  gather_facts: false
  tasks:
    - name: Check the site
      ansible.builtin.debug: { msg: "well" }
`;

test('the storage of a project is shown by template, also on a phone, and a setting shows what it frees', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const product = await Product.start();
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Storefront', { 'site.yml': PLAYBOOK });
    const template = await project.template('site.yml', { name: 'Patch base system' });
    await product.runnerReady(client);
    await project.ended((await project.run(template)).id);
    const address = `${product.address}/project/${project.params.project_id}`;
    await signIn(page, product.address, 'admin', product.adminPassword);
    const read = async () => (await client.call('getStorage', { params: project.params })).measured ?? undefined;
    await until('the first measurement', read, 150_000);

    await page.goto(`${address}/storage`);
    await expect(page.getByRole('row').filter({ hasText: 'Patch base system' })).toContainText('kB');
    await expectAccessible(page, 'the storage of a project');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.goto(`${product.address}/storage`);
    await page.getByRole('link', { name: 'Storefront' }).click();
    await expect(page.getByRole('link', { name: 'Patch base system' })).toBeVisible();

    await page.goto(`${address}/settings`);
    await page.getByLabel('Days to keep logs').fill('30');
    await expect(page.getByText('Frees no more space than the saved settings.')).toBeVisible();
  } finally {
    await product.dispose();
  }
});
