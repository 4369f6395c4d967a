import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { signIn } from './console.ts';

const FILES = { 'hello.yml': '- name: Hello\n  hosts: all\n  tasks: []\n' };

test('the page shows a notice while the server restarts, and then refreshes everything', async ({ page }) => {
  const product = await Product.start();
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Before', FILES);
    const { params } = project;
    // Keeps the page from reconnecting or polling before the change that it must not miss.
    let isHeldBack = false;
    await page.route(/\/api\//, (route) => (isHeldBack ? route.abort() : route.fallback()));
    await page.routeWebSocket(/\/api\/ws/, (socket) => {
      if (isHeldBack) void socket.close();
      else socket.connectToServer();
    });
    await signIn(page, product.address, 'admin', product.adminPassword);
    await page.goto(`${product.address}/project/${params.project_id}/keys`);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await expect(row('None')).toBeVisible();
    const filter = page.getByRole('searchbox');
    await filter.fill('e');
    await client.call('createKey', { params, body: { name: 'Live before', type: 'none' } });
    await expect(row('Live before')).toBeVisible();
    const lost = page.getByText(/The live connection was lost/);
    await expect(lost).toBeHidden();

    isHeldBack = true;
    await product.killServer();
    await expect(lost).toBeVisible();
    await product.startServer();
    await client.call('createKey', { params, body: { name: 'Made meanwhile', type: 'none' } });
    await client.call('updateProject', { params, body: { name: 'Renamed meanwhile' } });
    await expect(lost).toBeVisible();
    await expect(row('Made meanwhile')).toBeHidden();

    isHeldBack = false;
    await expect(lost).toBeHidden();
    await expect(row('Made meanwhile')).toBeVisible();
    await expect(page.getByText('Renamed meanwhile').first()).toBeVisible();
    // The page was not loaded again: it still contains the typed text, and it receives messages again.
    await expect(filter).toHaveValue('e');
    await client.call('createKey', { params, body: { name: 'Live afterwards', type: 'none' } });
    await expect(row('Live afterwards')).toBeVisible();
  } finally {
    await product.dispose();
  }
});
