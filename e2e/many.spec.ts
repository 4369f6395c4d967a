import { expect, type Page } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import type { Product } from '../tooling/product/product.ts';
import { signIn } from './console.ts';
import { test } from './worker-product.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

const openProject = async (page: Page, product: Product) => {
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Many', { 'site.yml': '[]\n' });
  await signIn(page, product.address, 'admin', product.adminPassword);
  return { client, project, address: `${product.address}/project/${project.params.project_id}` };
};

test('a filter of the history is saved, opened, changed and deleted on a desktop and a phone', async ({
  page,
  product,
}) => {
  const { address } = await openProject(page, product);
  for (const window of [DESKTOP, PHONE]) {
    await page.setViewportSize(window);
    await page.goto(`${address}/history?status=error`);
    await page.getByRole('button', { name: 'Save filter' }).click();
    const dialog = page.getByRole('dialog', { name: /Save filter/ });
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await page.keyboard.type('Failed tasks of the whole project');
    await dialog.getByLabel('Share with the project').check();
    await page.keyboard.press('Enter');
    const tabs = page.getByRole('navigation', { name: 'Saved filters' });
    const tab = tabs.getByRole('link', { name: 'Failed tasks of the whole project' });
    await expect(tab).toHaveAttribute('aria-current', 'page');
    await tabs.getByRole('link', { name: 'All' }).press('Enter');
    await expect(page).toHaveURL(/\/history$/);
    await tab.press('Enter');
    await expect(page).toHaveURL(/status=error&filter=\d+/);
    if (window === PHONE) await page.getByRole('button', { name: 'Filters 1', exact: true }).click();
    await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('Failed');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(window.width);
    await page.getByRole('button', { name: 'Saved filter' }).click();
    await page.getByRole('menuitem', { name: 'Delete filter' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(tabs).toHaveCount(0);
    await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('Failed');
  }
});

test('three selected templates get a label by keyboard, and show it', async ({ page, product }) => {
  const { client, project, address } = await openProject(page, product);
  const { params } = project;
  for (const name of ['Apply', 'Build', 'Clean', 'Deploy']) await project.template('site.yml', { name });
  await client.call('createLabel', { params, body: { name: 'production', colour: 'brick' } });
  await page.goto(`${address}/templates`);
  await page.getByRole('checkbox', { name: 'Select Apply' }).check();
  await page.getByRole('checkbox', { name: 'Select Clean' }).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('toolbar');
  await expect(bar.getByText('3 selected')).toBeVisible();
  await bar.getByRole('button', { name: 'Change' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: /Change templates/ });
  await dialog.getByLabel('Add label').first().click();
  await page.getByRole('option', { name: 'production' }).click();
  await dialog.getByRole('button', { name: 'Apply' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  const labelled = page.getByRole('row').filter({ hasText: 'production' });
  await expect(labelled).toHaveCount(3);
  await expect(page.getByRole('row').filter({ hasText: 'Deploy' })).not.toContainText('production');
});

test('a long list draws the rows near the window, keeps the row with the focus, and finds each by its filter', async ({
  page,
  product,
}) => {
  const { project, address } = await openProject(page, product);
  const names = Array.from({ length: 150 }, (_, at) => `Template ${String(at + 1).padStart(3, '0')}`);
  for (const name of names) await project.template('site.yml', { name });
  await page.goto(`${address}/templates`);
  const rows = page.locator('tr[data-template]');
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  await expect(link('Template 001')).toBeVisible();
  expect(await rows.count()).toBeLessThan(100);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);

  // The list is longer while more above it is loaded.
  const scrollToEnd = () =>
    expect(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await expect(link('Template 150')).toBeInViewport({ timeout: 2_000 });
    }).toPass();
  const box = page.getByRole('checkbox', { name: 'Select Template 002' });
  await box.focus();
  await scrollToEnd();
  await expect(link('Template 061')).toHaveCount(0);
  await expect(box).toBeFocused();
  const moved = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(Math.abs(moved - height)).toBeLessThan(height / 10);

  await page.getByRole('searchbox').fill('template 061');
  await expect(link('Template 061')).toBeInViewport();
  await expect(rows).toHaveCount(1);
  await page.getByRole('searchbox').fill('');
  await page.setViewportSize(PHONE);
  await expect(link('Template 001')).toBeInViewport();
  await scrollToEnd();
  expect(await rows.count()).toBeLessThan(100);
});
