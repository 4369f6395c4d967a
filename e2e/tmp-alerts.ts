import { createServer } from 'node:http';
import { chromium, type Page } from '@playwright/test';
import { Product, until } from '../tooling/product/product.ts';
import { signIn } from './console.ts';
import config from './playwright.config.ts';
import { axeFindings } from './screens/inspection.ts';

const hook = createServer((request, response) => { request.resume(); request.on('end', () => response.end('ok')); });
await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
const port = (hook.address() as { port: number }).port;
const product = await Product.start({ SIGNALBOX_ALERT_NETWORKS: 'loopback', SIGNALBOX_TELEGRAM_TOKEN: '1:a', SIGNALBOX_TELEGRAM_URL: 'http://127.0.0.1:9' });
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const client = await product.client();
  const { id } = await client.call('createProject', { body: { name: 'Storefront', demo: true, alert: true, alert_chat: '-1001' } });
  const params = { project_id: id };
  for (const [name, kind, url] of [['On call', 'mattermost', `http://127.0.0.1:${port}/a`], ['Evaluation of all deployments of the storefront', 'webhook', 'http://127.0.0.1:9/b'], ['Cloud', 'slack', 'http://169.254.169.254/x']] as const)
    await client.call('createAlertReceiver', { params, body: { name, kind, url, secret: 's' } });
  const templates = await client.call('listTemplates', { params });
  for (const limit of ['', 'nobody']) {
    const task = await client.call('createTask', { params, body: { template_id: templates.find(({ name }) => name === 'Ping Site')?.id ?? 0, limit } });
    await until('end', async () => ['success', 'error'].includes((await client.call('getTask', { params: { ...params, task_id: task.id } })).status) || undefined, 60_000);
  }
  for (const [view, options] of Object.entries({
    light: { viewport: { width: 1280, height: 1500 }, colorScheme: 'light' },
    dark: { viewport: { width: 1280, height: 1500 }, colorScheme: 'dark' },
    phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  } as const)) {
    const page: Page = await (await browser.newContext({ ...options, locale: view === 'dark' ? 'de-DE' : 'en-GB' })).newPage();
    if (view === 'dark') await page.addInitScript(() => undefined);
    await page.goto(`${product.address}/auth/login`);
    if (view !== 'dark') await signIn(page, product.address, 'admin', product.adminPassword);
    else {
      await page.evaluate(async ([auth, password]) => { await fetch('/api/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ auth, password }) }); }, ['admin', product.adminPassword] as const);
    }
    await page.goto(`${product.address}/project/${id}/settings`);
    await page.getByRole('table').nth(1).waitFor();
    await page.waitForLoadState('networkidle');
    console.log(view, await axeFindings(page));
    await page.screenshot({ path: `/tmp/shots/settings-${view}.png`, fullPage: true });
    if (view === 'dark') continue;
    await page.getByRole('button', { name: /^Send a test to On call/ }).click();
    await page.getByText('The test was sent.').waitFor();
    await page.getByRole('button', { name: 'Send a test to the chat' }).click();
    await page.getByText('The host was not reached.').first().waitFor();
    await page.getByRole('button', { name: 'Edit Evaluation of all' }).click();
    await page.getByRole('dialog').waitFor();
    await page.waitForTimeout(400);
    console.log(view, 'dialog', await axeFindings(page));
    await page.screenshot({ path: `/tmp/shots/dialog-${view}.png` });
    await page.keyboard.press('Escape');
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/shots/tested-${view}.png`, fullPage: true });
  }
} finally {
  await browser.close();
  await product.dispose();
  hook.close();
}
