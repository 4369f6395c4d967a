import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { RemoteRunner } from '../tooling/product/remote-runner.ts';
import { expectAccessible, signIn } from './console.ts';

test('an admin pauses, resumes and drains a runner on its page', async ({ page }) => {
  test.setTimeout(120_000);
  const product = await Product.start({ SIGNALBOX_RUNNER_SLOTS: '0' });
  const remote = new RemoteRunner();
  try {
    const client = await product.client();
    const playbook = '- hosts: all\n  gather_facts: false\n  tasks: []\n';
    const project = await PlaybookProject.create(client, 'Pools', { 'site.yml': playbook });
    const { id, token } = await client.call('createRunner', { body: { name: 'rack-7', tags: ['dmz'] } });
    remote.start(product.address, token);
    await product.runnerReady(client);
    const template = await project.template('site.yml');
    const first = await project.run(template);
    await project.ended(first.id);

    await signIn(page, product.address, 'admin', product.adminPassword);
    await page.goto(`${product.address}/runners`);
    await page.getByRole('link', { name: 'rack-7' }).click();
    await expect(page).toHaveURL(new RegExp(`/runners/${id}$`));
    await expect(page.getByRole('link', { name: `#${first.id}`, exact: true })).toBeVisible();
    await expectAccessible(page, 'the page of a runner');

    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
    const waiting = await project.run(template);
    await expect
      .poll(() => project.task(waiting.id))
      .toMatchObject({ status: 'waiting', waiting_reason: { code: 'runners_paused', params: {} } });
    await page.getByRole('button', { name: 'Resume' }).click();
    expect(await project.ended(waiting.id)).toMatchObject({ status: 'success', runner_name: 'rack-7' });

    await page.getByRole('button', { name: 'Drain' }).click();
    await page
      .getByRole('dialog', { name: /Drain runner/ })
      .getByRole('button', { name: 'Drain' })
      .click();
    await expect(page.getByText('Not connected')).toBeVisible();
    // It keeps what the runner last reported.
    await expect(page.getByText(/^0 of [1-9]\d*$/)).toBeVisible();
    await expect(page.getByRole('link', { name: `#${waiting.id}`, exact: true })).toBeVisible();
  } finally {
    await remote.dispose();
    await product.dispose();
  }
});
