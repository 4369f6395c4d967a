import { expect, test } from '@playwright/test';
import { drawSample } from '../testing/sample.ts';
import { Product } from '../tooling/product/product.ts';
import { expectAccessible } from './console.ts';

const VIEWS = [
  ['light', { viewport: { width: 1280, height: 860 }, colorScheme: 'light' }],
  ['dark', { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true }],
] as const;

test('the API page works without a session, below a path, in both themes, on a phone and by keyboard', async ({
  browser,
}) => {
  const product = await Product.start({ SIGNALBOX_URL: 'http://127.0.0.1/box' });
  const errors: string[] = [];
  const outside: string[] = [];
  try {
    for (const [view, options] of drawSample('views of the API page: all', VIEWS, 1)) {
      await test.step(view, async () => {
        const page = await (await browser.newContext(options)).newPage();
        page.on('pageerror', (error) => errors.push(error.message));
        page.on('console', (message) => {
          if (message.type() === 'error') errors.push(message.text());
        });
        page.on('request', (request) => {
          if (!request.url().startsWith(`${product.address}/box/`)) outside.push(request.url());
        });
        await page.goto(`${product.address}/box/api/docs`);
        await expect(page.getByRole('heading', { name: 'API', exact: true })).toBeVisible();
        await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
        await expectAccessible(page, `the API page, ${view}`);

        await page.keyboard.press('/');
        await expect(page.locator('input:focus')).toBeVisible();
        await page.keyboard.type('waits until a runner is free');
        await expect(page.getByRole('main').getByRole('status')).toHaveText('1 call');
        const call = page.locator('#createTask');
        await call.locator('summary').focus();
        await page.keyboard.press('Enter');
        await expect(call).toContainText('Members of the project with the right run_tasks.');
        await expect(call.locator('pre')).toContainText('/box/api/project/1/tasks');
        await expectAccessible(page, `an open call, ${view}`);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width).toBe(options.viewport.width);

        await page.getByRole('searchbox').fill('');
        await call.getByRole('link', { name: 'QueuedTask', exact: true }).click();
        await expect(page).toHaveURL(/\/box\/api\/docs#shape-QueuedTask$/);
        await expect(page.locator('#shape-QueuedTask h3')).toBeInViewport();
        await page.context().close();
      });
    }
    expect(errors).toEqual([]);
    expect(outside).toEqual([]);
  } finally {
    await product.dispose();
  }
});
