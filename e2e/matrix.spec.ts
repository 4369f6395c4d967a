import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const FILES = {
  'roles/base/tasks/main.yml':
    '- name: One\n  ansible.builtin.command: "true"\n- name: Two\n  ansible.builtin.command: "true"\n  changed_when: false\n',
  'site.yml': `- name: Hosts
  hosts: localhost
  gather_facts: false
  tasks:
    - name: Add hosts
      ansible.builtin.add_host:
        name: "{{ item }}"
        groups: web
        ansible_connection: local
        ansible_python_interpreter: "{{ ansible_playbook_python }}"
      loop: [web-1, web-2, web-3, web-10, db-1, db-2]
- name: Site
  hosts: web
  gather_facts: false
  roles: [base]
  tasks:
    - name: Install
      ansible.builtin.command: sh -c 'echo the disk is full >&2; exit {{ 3 if inventory_hostname.startswith("db") else 0 }}'
      changed_when: false
`,
};

test('the matrix folds hosts that are alike, opens a result by the keyboard, and is a list on a phone', async ({
  page,
  product,
}) => {
  const project = await PlaybookProject.create(await product.client(), 'Shop', FILES);
  await product.runnerReady(project.client);
  const { id } = await project.run(await project.template('site.yml', { name: 'Site' }));
  expect((await project.ended(id, 120_000)).status).toBe('error');
  await signIn(page, product.address, 'admin', product.adminPassword);
  const address = `${product.address}/project/${project.params.project_id}/tasks/${id}?tab=hosts`;
  await page.goto(address);
  const grid = page.getByRole('group', { name: 'Results by host and step' });
  const names = grid.getByRole('rowheader');
  await expect(names).toHaveText(['db-1 and 1 more', 'web-1 and 3 more', 'localhost']);
  await expect(page.getByText('5 of 7 done, 2 failed')).toBeVisible();
  await expect(grid.getByRole('columnheader')).toHaveText(['Host', 'Add hosts', 'base', 'Install']);
  await grid.getByRole('button', { name: 'web-1 and 3 more', exact: true }).click();
  await expect(names).toHaveText([
    'db-1 and 1 more',
    'web-1 and 3 more',
    ...['web-1', 'web-2', 'web-3', 'web-10'],
    'localhost',
  ]);

  await grid.focus();
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  const result = page.getByRole('complementary', { name: 'Result' });
  await expect(result).toContainText('the disk is full (rc 3)');
  await expect(result).toContainText('site.yml:17');
  await expect(result.getByText('1 of 2 alike')).toBeVisible();
  await expect(page).toHaveURL(/cell=\d+-4/);
  await result.getByRole('button', { name: 'Next host with the same results' }).click();
  await expect(result.getByRole('link', { name: 'db-2' })).toBeVisible();
  await result.getByRole('tab', { name: 'stderr' }).click();
  await expect(result.getByRole('tabpanel')).toHaveText('the disk is full');
  await expectAccessible(page, 'the matrix with a result');
  await page.keyboard.press('Escape');
  await expect(result).toBeHidden();

  await page.getByRole('button', { name: '2 failed' }).click();
  await expect(names).toHaveText(['db-1 and 1 more']);
  await expect(page).toHaveURL(/result=failed/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address);
  await page.getByRole('button', { name: 'failed: Install' }).click();
  await expect(result).toContainText('the disk is full (rc 3)');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
