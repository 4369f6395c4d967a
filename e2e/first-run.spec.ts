import { expect, test } from '@playwright/test';
import { Product } from '../tooling/product/product.ts';
import { expectAccessible, signInWithForm } from './console.ts';

/** A playbook of the demo takes some seconds, and longer on a busy machine. */
const RUN_MS = 60_000;

const task = (page: import('@playwright/test').Page) => page.getByRole('dialog');

test('a new user signs in, creates the demo project and watches a run live, with mouse and keyboard', async ({
  page,
}) => {
  const product = await Product.start();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  try {
    await test.step('sign in', async () => {
      await page.goto(product.address);
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
      await signInWithForm(page, product.address, 'admin', product.adminPassword);
    });

    await test.step('create the demo project', async () => {
      await expect(page).toHaveURL(/\/project\/new$/);
      await page.getByRole('button', { name: 'Create Demo Project' }).click();
      await expect(page).toHaveURL(/\/project\/1\//);
      await page.getByRole('link', { name: 'Task Templates' }).click();
      await expect(page.getByRole('link', { name: 'Ping Site', exact: true })).toBeVisible();
    });

    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

    await test.step('run Ping Site by mouse and watch it live', async () => {
      await row('Ping Site').getByRole('link', { name: 'Run Ping Site' }).click();
      const newTask = page.getByRole('dialog');
      await expect(newTask).toContainText('ping.yml');
      await newTask.getByLabel('Message').fill('First run');
      await newTask.getByRole('button', { name: 'Run on 7 hosts' }).click();
      await expect(page).toHaveURL(/[?&]t=1\b/);
      // The status in the header changes by itself, from its current value to the end.
      await expect(task(page)).toContainText(/Waiting|Starting\.\.\.|Running/);
      await expect(task(page)).toContainText('Running');
      await expect(
        task(page)
          .getByText(/^ok: \[.*\.prod\]/)
          .first(),
      ).toBeVisible();
      await expectAccessible(page, 'a running task');
      await expect(task(page).getByText('Success', { exact: true }).first()).toBeVisible({ timeout: RUN_MS });
      await expect(task(page)).toContainText('First run');
      await expect(task(page)).toContainText('Play recap');
      await expect(task(page).getByText(/web-01\.prod\s*:\s*ok=3/)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page).not.toHaveURL(/[?&]t=/);
      await expect(row('Ping Site')).toContainText('Success', { timeout: RUN_MS });
    });

    await test.step('build by keyboard; the deploy to dev follows by itself', async () => {
      await row('Build').getByRole('link', { name: 'Build Build' }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog')).toContainText('build.yml');
      await page.getByRole('dialog').getByLabel('Message').focus();
      await page.keyboard.type('Nightly');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/[?&]t=2\b/);
      await expect(task(page).getByText('Success', { exact: true }).first()).toBeVisible({ timeout: RUN_MS });
      await expect(task(page)).toContainText('1.0.0');
      await page.keyboard.press('Escape');
      await expect(row('Deploy to Dev')).toContainText('Success', { timeout: RUN_MS });
      await expect(row('Deploy to Dev')).toContainText('1.0.0');
    });

    await test.step('deploy the build to production', async () => {
      await row('Deploy to Production').getByRole('link', { name: 'Deploy Deploy to Production' }).click();
      const newTask = page.getByRole('dialog');
      await expect(newTask).toContainText('1.0.0');
      await expectAccessible(page, 'new deploy');
      await newTask.getByRole('button', { name: /^Deploy/ }).click();
      await expect(task(page).getByText('Success', { exact: true }).first()).toBeVisible({ timeout: RUN_MS });
      await page.keyboard.press('Escape');
    });

    await test.step('find them in the history', async () => {
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await expect(page).toHaveURL(/\/project\/1\/overview/);
      await page.getByRole('link', { name: 'History' }).click();
      const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: /^#\d+/ }) });
      await expect(rows).toHaveCount(4);
      for (const name of ['Ping Site', 'Build', 'Deploy to Dev', 'Deploy to Production']) {
        await expect(rows.filter({ hasText: name }).first()).toContainText('Success');
      }
      await expect(rows.last()).toContainText('#1');
      await expect(rows.last()).toContainText('admin');
      await page.reload();
      await expect(rows).toHaveCount(4);
    });

    await test.step('open one by its address, and sign out', async () => {
      await page.goto(`${product.address}/project/1/tasks/1`);
      await expect(page.getByText(/web-01\.prod\s*:\s*ok=3/)).toBeVisible();
      await page.goto(`${product.address}/project/1/templates/4`);
      await expect(page.getByRole('heading', { name: 'Ping Site' })).toBeVisible();
      await page.getByRole('button', { name: /admin/ }).click();
      await page.getByRole('menuitem', { name: 'Sign Out' }).click();
      await expect(page).toHaveURL(/\/auth\/login/);
    });
    expect(errors).toEqual([]);
  } finally {
    await product.dispose();
  }
});
