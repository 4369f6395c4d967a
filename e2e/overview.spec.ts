import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const PLAYBOOK = `- hosts: all
  gather_facts: false
  tasks:
    - name: Upgrade packages
      ansible.builtin.fail: { msg: "old nodes still run 2.8" }
      when: broken | default(true) | bool
`;

test('a failure is found on the overview, taken on a phone, and leaves both pages when it is fixed', async ({
  page,
  browser,
  product,
}) => {
  test.setTimeout(180_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Storefront', { 'site.yml': PLAYBOOK });
  const template = await project.template('site.yml', { name: 'Patch base system' });
  await product.runnerReady(client);
  await project.ended((await project.run(template)).id);
  const address = `${product.address}/project/${project.params.project_id}/overview`;
  const open = (of: typeof page) => of.getByRole('region', { name: 'Open failures' });

  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(address);
  await expect(open(page)).toContainText('old nodes still run 2.8');

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await signIn(phone, product.address, 'admin', product.adminPassword);
  await phone.goto(address);
  await open(phone).getByRole('button', { name: 'Assign' }).click();
  await phone.getByRole('textbox', { name: 'Note' }).fill('waiting for the mirror');
  await phone.getByRole('dialog').getByRole('button', { name: 'Assign' }).click();
  await expect(open(page)).toContainText('waiting for the mirror');
  await expectAccessible(phone, 'the overview with an assigned failure');
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);

  await project.ended((await project.run(template, { environment: '{"broken": false}' })).id);
  await expect(open(page)).toBeHidden();
  await expect(phone.getByText('Nothing needs you now', { exact: false })).toBeVisible();
});
