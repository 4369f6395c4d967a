import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const tasksOf = (command: string) => `- name: Restart
  ansible.builtin.command: ${command}
- name: Verify
  ansible.builtin.debug:
    msg: "the site answers"
`;
const FILES = {
  'site.yml': '- name: Site\n  hosts: all\n  gather_facts: false\n  roles: [web]\n',
  'roles/web/tasks/main.yml': tasksOf('"true"'),
};

/** Commits files to a local repository. */
const commit = (folder: string, subject: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
  git('add', '.');
  git('commit', '-q', '-m', subject);
};

test('a failed task shows the commits and files since the last success, and what they changed', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Shop', FILES);
  const template = await project.template('site.yml', { name: 'Site' });
  await product.runnerReady(client);
  const good = await project.run(template);
  expect((await project.ended(good.id)).status).toBe('success');
  const [repository] = await client.call('listRepositories', { params: project.params });
  const folder = repository?.git_url ?? '';
  commit(folder, 'Describe the site', { 'README.md': 'The site\n', 'group_vars/all.yml': 'port: 80\n' });
  commit(folder, 'Restart with a command that fails', { 'roles/web/tasks/main.yml': tasksOf('"false"') });
  const bad = await project.run(template);
  expect((await project.ended(bad.id)).status).toBe('error');

  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(`${product.address}/project/${project.params.project_id}/tasks/${bad.id}`);
  await expect(page.getByText('Different: 2 commits and 3 files')).toBeVisible();
  await page.getByRole('button', { name: `Compare with the last success, #${good.id}` }).click();
  const commits = page.getByRole('region', { name: 'Commits' });
  await expect(commits.getByText('2 commits and 3 files')).toBeVisible();
  await expect(commits.getByRole('listitem').first()).toContainText('Restart with a command that failsAnn');
  const file = commits.getByRole('listitem').filter({ hasText: 'roles/web/tasks/main.yml' });
  await expect(file).toContainText('Failed step');
  await file.locator('summary').press('Enter');
  await expect(file.getByText('+  ansible.builtin.command: "false"')).toBeVisible();
  const log = page.getByRole('region', { name: 'Log', exact: true });
  await expect(log.getByRole('region', { name: 'web : Restart' })).toContainText('fatal: [localhost]: FAILED!');
  await expectAccessible(page, 'the comparison');
});
