import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { signIn } from './console.ts';
import { test } from './worker-product.ts';

const STEPS = ['Prepare', 'Copy', 'Restart', 'Check'];
const FILES = {
  'site.yml': `- name: Site
  hosts: all
  gather_facts: false
  tasks:
${STEPS.map((name) => `    - name: ${name}\n      ansible.builtin.command: sleep 2\n`).join('')}`,
};

test('a running task shows when it is expected to end, from the last runs of its template', async ({
  page,
  product,
}) => {
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Shop', FILES);
  const template = await project.template('site.yml', { name: 'Site', allow_parallel_tasks: true });
  const first = await Promise.all([1, 2, 3].map(() => project.run(template)));
  for (const { id } of first) expect((await project.ended(id)).status).toBe('success');
  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(`${product.address}/project/${project.params.project_id}/templates`);
  await page.getByRole('link', { name: 'Run Site' }).click();
  await page.getByRole('dialog').getByLabel('Message').fill('Expected');
  await page.keyboard.press('Enter');
  const task = page.getByRole('dialog');
  await expect(task.getByText(/^about \d+ seconds? left, \d+%$/)).toBeVisible();
  const shownShare = task.getByText(/ left, \d+%$/).first();
  const shareOf = async () => Number(/(\d+)%/.exec((await shownShare.textContent()) ?? '')?.[1]);
  const share = await shareOf();
  await expect.poll(shareOf).toBeGreaterThan(share + 20);
  await expect(task.getByText('Success', { exact: true }).first()).toBeVisible();
  await expect(task.getByText(/left, \d+%$/)).toHaveCount(0);
});
