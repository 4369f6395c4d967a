import { expect, type Page } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import type { Product } from '../tooling/product/product.ts';
import { signIn } from './console.ts';
import { test } from './worker-product.ts';

/** A module that reports the facts that its step names, so that hosts differ. */
const SETUP = `#!/usr/bin/python3
# WANT_JSON
import json, sys
major = json.load(open(sys.argv[1]))["major"]
print(json.dumps({"ansible_facts": {"ansible_distribution": "Debian", "ansible_distribution_major_version": str(major)}}))
`;

const HOSTS = ['web-1', 'web-2', 'web-3'];
const FILES = {
  'library/setup.py': SETUP,
  'site.yml':
    '- hosts: all\n  gather_facts: false\n  tasks:\n    - name: Facts\n' +
    '      setup: {major: "{{ 11 if inventory_hostname == \'web-2\' else 12 }}"}\n' +
    "    - name: Check\n      ansible.builtin.command: \"{{ 'false' if inventory_hostname == 'web-3' else 'true' }}\"\n",
};

const seedShop = async (product: Product) => {
  const project = await PlaybookProject.create(await product.client(), 'Shop', FILES);
  const inventory = HOSTS.map(
    (host) => `${host} ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"`,
  );
  const inventory_id = await project.inventory(`${inventory.join('\n')}\n`);
  const template = await project.template('site.yml', { name: 'Site', inventory_id, prompts: { limit: 'any' } });
  await project.ended((await project.run(template)).id, 120_000);
  return project;
};

const address = (product: Product, project: PlaybookProject): string =>
  `${product.address}/project/${project.params.project_id}/hosts`;

const names = (page: Page) => page.getByRole('rowheader').getByRole('link');

test('hosts are found by a fact and by age, selected and started on with the keyboard', async ({ page, product }) => {
  const project = await seedShop(product);
  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(address(product, project));
  await expect(names(page)).toHaveText(['web-3', 'web-1', 'web-2']);
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).focus();
    await expect(page.getByRole('option', { name: option, exact: true })).toBeVisible();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(option);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };
  await choose('Time without a run', 'No run for 1 day');
  await expect(page.getByText('No hosts match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await choose('Fact', 'Distribution');
  await page
    .getByRole('combobox', { name: 'Value of the fact' })
    .or(page.getByLabel('Value of the fact'))
    .first()
    .focus();
  await page.keyboard.type('Debian 11');
  await expect(names(page)).toHaveText(['web-2']);
  expect(page.url()).toMatch(/fact=distribution&value=Debian(\+|%20)11/);
  await names(page).focus();
  await page.keyboard.press('Space');
  const run = page.getByRole('button', { name: 'Run on 1 host' });
  await run.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Site' }).press('Enter');
  await expect(page.getByRole('dialog')).toContainText('web-2');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('hosts are selected and started on by touch', async ({ page, product }) => {
    const project = await seedShop(product);
    await signIn(page, product.address, 'admin', product.adminPassword);
    await page.goto(`${address(product, project)}?last=trouble`);
    await expect(names(page)).toHaveText(['web-3']);
    await page.getByRole('checkbox', { name: 'Select web-3' }).tap();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole('button', { name: 'Run on 1 host' }).tap();
    await page.getByRole('menuitem', { name: 'Site' }).tap();
    await expect(page.getByRole('dialog')).toContainText('web-3');
  });
});
