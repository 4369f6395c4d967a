import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { signIn } from './console.ts';
import { test } from './worker-product.ts';

interface Manifest {
  readonly start_url: string;
  readonly display: string;
  readonly icons: readonly { readonly src: string; readonly type: string }[];
}

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

test('the console can be installed as an app, with icons of the sizes that its manifest names', async ({
  page,
  product,
}) => {
  await page.goto(product.address);
  const session = await page.context().newCDPSession(page);
  const { url, errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
  const { start_url, display, icons } = JSON.parse(data ?? '') as Manifest;
  expect({ display, start: new URL(start_url, url).href }).toEqual({
    display: 'standalone',
    start: `${product.address}/`,
  });
  const drawn = await page.evaluate(
    (files) =>
      Promise.all(
        files.map(async (file) => {
          const { width, height } = await createImageBitmap(await (await fetch(file)).blob());
          return `${width}x${height}`;
        }),
      ),
    icons.filter(({ type }) => type === 'image/png').map(({ src }) => new URL(src, url).href),
  );
  expect(drawn).toEqual(['192x192', '512x512', '512x512']);
});
