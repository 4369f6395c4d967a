import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { signIn } from './console.ts';
import { test } from './worker-product.ts';

// The layout viewport of a phone grows with content that overflows it. That of a narrow desktop window does not.
test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

test('dropdowns in dialogs can be used by touch on a phone', async ({ page, product }) => {
  const project = await PlaybookProject.create(await product.client(), 'By phone', { 'site.yml': '[]\n' });
  await signIn(page, product.address, 'admin', product.adminPassword);
  for (const [path, field, option] of [
    ['keys?edit=new', 'Type', 'Login with password'],
    ['inventory?edit=new', 'User credentials', 'None'],
    ['templates/new/edit', 'Inventory', 'This machine'],
  ] as const) {
    await page.goto(`${product.address}/project/${project.params.project_id}/${path}`);
    const input = page.getByRole('dialog').getByRole('combobox', { name: field, exact: true });
    await input.tap({ timeout: 20_000 });
    await page.getByRole('option', { name: option }).tap({ timeout: 20_000 });
    await expect(input).toHaveValue(option);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
  }
});
