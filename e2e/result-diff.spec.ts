import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { signIn } from './console.ts';
import { test } from './worker-product.ts';

const FILES = {
  'site.yml': `- name: Site
  hosts: all
  gather_facts: false
  tasks:
    - name: Write the motto
      ansible.builtin.copy:
        content: "{{ motto | default('none') }} on {{ inventory_hostname }}\\n"
        dest: "{{ playbook_dir }}/{{ inventory_hostname }}.txt"
    - name: Check
      ansible.builtin.assert:
        that: "{{ motto | default('none') == 'none' }}"
`,
};

const LOCAL = 'ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"';

test('a result shows its difference and only its lines, and an inventory with other content counts as changed', async ({
  page,
  product,
}) => {
  test.setTimeout(240_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Shop', FILES);
  const inventory_id = await project.inventory(`web-1 ${LOCAL}\nweb-2 ${LOCAL}\n`);
  const template = await project.template('site.yml', { name: 'Site', inventory_id });
  await product.runnerReady(client);
  const good = await project.run(template);
  expect((await project.ended(good.id)).status).toBe('success');
  await client.call('updateInventory', {
    params: { ...project.params, inventory_id },
    body: { inventory: `web-1 ${LOCAL} motto=new\nweb-2 ${LOCAL}\n` },
  });
  const bad = await project.run(template, { diff: true });
  expect((await project.ended(bad.id)).status).toBe('error');

  await signIn(page, product.address, 'admin', product.adminPassword);
  const address = `${product.address}/project/${project.params.project_id}/tasks/${bad.id}`;
  await page.goto(address);
  const since = page.getByRole('region', { name: 'Since it last worked' });
  await expect(since.getByText('changed, hosts the same')).toBeVisible();

  await page.goto(`${address}?tab=hosts&cell=1-1`);
  const result = page.getByRole('complementary', { name: 'Result' });
  await result.getByRole('tab', { name: /^Diff/ }).click();
  // Hosts are numbered in the order of their first results.
  const own = (await result.getByRole('link', { name: /^web-/ }).textContent()) ?? '';
  await expect(result.getByRole('tabpanel')).toContainText(` on ${own}`);
  await expect(result.getByText(`changed: [${own}]`)).toBeVisible();
  await expect(result.getByText(own === 'web-1' ? 'web-2' : 'web-1')).toHaveCount(0);
});
