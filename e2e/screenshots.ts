import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product, until } from '../tooling/product/product.ts';
import { signIn } from './console.ts';
import config from './playwright.config.ts';

/** `npm run screenshots`: takes the pictures of the documentation from a running product, after real runs. */
const FOLDER = join(import.meta.dirname, '..', 'docs', 'screenshots');

const VIEWS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
};

/** A demo project in which every template has run, one of them with a failure. */
const prepare = async (product: Product): Promise<void> => {
  const client = await product.client();
  const { id } = await client.call('createProject', { body: { name: 'Storefront', demo: true } });
  const params = { project_id: id };
  const templates = await client.call('listTemplates', { params });
  const run = async (name: string, more: object = {}): Promise<number> => {
    const template = templates.find((one) => one.name === name);
    const task = await client.call('createTask', { params, body: { template_id: template?.id ?? 0, ...more } });
    await until(
      `the end of ${name}`,
      async () => {
        const { status } = await client.call('getTask', { params: { ...params, task_id: task.id } });
        return ['success', 'error', 'stopped'].includes(status) ? status : undefined;
      },
      60_000,
    );
    return task.id;
  };
  await run('Ping Site', { message: 'Before the release' });
  const build = await run('Build', { message: 'Release candidate' });
  await run('Deploy to Production', { build_task_id: build, message: 'Autumn release' });
  await run('Ping Site', { limit: 'nobody', message: 'Mistyped host' });
  const other = await PlaybookProject.create(client, 'Databases', { 'vacuum.yml': '- hosts: all\n  tasks: []\n' });
  await other.template('vacuum.yml', { name: 'Vacuum' });
};

const shoot = async (page: Page, address: string, view: string): Promise<void> => {
  const take = (name: string) => page.screenshot({ path: join(FOLDER, `${name}-${view}.png`) });
  await page.goto(`${address}/project/1/templates`);
  await page.getByRole('link', { name: 'Ping Site', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await take('templates');
  await page.goto(`${address}/project/1/history`);
  await page.getByRole('link', { name: '#1', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await take('history');
  await page.goto(`${address}/project/1/tasks/4`);
  await page.locator('[data-total]').waitFor();
  await page.waitForLoadState('networkidle');
  await take('task');
};

const product = await Product.start();
const browser = await chromium.launch(config.use?.launchOptions);
try {
  mkdirSync(FOLDER, { recursive: true });
  await prepare(product);
  for (const [view, options] of Object.entries(VIEWS)) {
    const page = await (await browser.newContext({ ...options, locale: 'en-GB' })).newPage();
    await signIn(page, product.address, 'admin', product.adminPassword);
    await shoot(page, product.address, view);
  }
} finally {
  await browser.close();
  await product.dispose();
}
