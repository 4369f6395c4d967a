import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { RemoteRunner } from '../tooling/product/remote-runner.ts';
import { expectAccessible, signIn } from './console.ts';

test('a task with a runner tag waits for the runner that has it, and shows this on its page', async ({ page }) => {
  test.setTimeout(120_000);
  const product = await Product.start({ SIGNALBOX_RUNNER_SLOTS: '0' });
  const [plain, tagged] = [new RemoteRunner(), new RemoteRunner()];
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Zones', {
      'site.yml': '- hosts: all\n  gather_facts: false\n  tasks: []\n',
    });
    plain.start(product.address, (await client.call('createRunner', { body: { name: 'plain' } })).token);
    await product.runnerReady(client);
    const anywhere = await project.template('site.yml');
    const inZone = await project.template('site.yml', { options: { runner_tags: ['dmz'] } });
    const waiting = await project.run(inZone);
    // The runner without the tag runs what needs none.
    expect(await project.ended((await project.run(anywhere)).id)).toMatchObject({ runner_name: 'plain' });
    expect(await project.task(waiting.id)).toMatchObject({
      status: 'waiting',
      waiting_reason: { code: 'no_runner_with_tags', params: { tags: 'dmz' } },
      queue_position: 1,
    });
    await signIn(page, product.address, 'admin', product.adminPassword);
    await page.goto(`${product.address}/tasks`);
    await expect(page.getByText('No connected runner is tagged dmz')).toBeVisible();
    await expectAccessible(page, 'the active tasks');
    await page.goto(`${product.address}/project/${project.params.project_id}/tasks/${waiting.id}`);
    await expect(page.getByText('No connected runner is tagged dmz')).toBeVisible();
    await expect(page.getByText('position 1 in the queue')).toBeVisible();
    await expectAccessible(page, 'the waiting task');

    const { token } = await client.call('createRunner', { body: { name: 'in the zone', tags: ['lan', 'dmz'] } });
    tagged.start(product.address, token);
    expect(await project.ended(waiting.id)).toMatchObject({ status: 'success', runner_name: 'in the zone' });
    await expect(page.getByText('No connected runner is tagged dmz')).toBeHidden();
  } finally {
    await Promise.all([plain.dispose(), tagged.dispose()]);
    await product.dispose();
  }
});
