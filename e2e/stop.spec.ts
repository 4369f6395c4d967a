import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

/** Sleeps in the playbook and in a daemon of it, for a time by which the test recognizes both processes. */
const SECONDS = 86_397;
const FILES = {
  'wait.yml': `- name: Wait
  hosts: all
  gather_facts: false
  tasks:
    - name: Leave a daemon behind
      ansible.builtin.command: sleep ${SECONDS}
      async: ${SECONDS}
      poll: 0
    - name: Wait for long, and not heed the first signal
      ansible.builtin.shell: trap "" INT; sleep ${SECONDS}
`,
};

const sleepers = (): string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.trim() === `sleep ${SECONDS}`);

test('[R5] Stop ends everything that a run started; Run again asks with the same answers', async ({
  page,
  product,
}) => {
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Waiting', FILES);
  await project.template('wait.yml', { name: 'Wait for long' });
  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(`${product.address}/project/${project.params.project_id}/templates`);
  await page.getByRole('link', { name: 'Run Wait for long' }).click();
  await page.getByRole('dialog').getByLabel('Message').fill('Wait for a stop');
  await page.keyboard.press('Enter');
  const task = page.getByRole('dialog');
  await expect(task).toContainText('Running');
  await expect.poll(() => sleepers().length, { timeout: 30_000 }).toBe(2);

  const stops: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/stop')) stops.push(request.postDataJSON());
  });
  const stopped = performance.now();
  // The second click of a double click must not force the stop.
  await task.getByRole('button', { name: 'Stop', exact: true }).dblclick();
  await expect(task).toContainText('Stopping...');
  await expect(task.getByText('Stopped', { exact: true }).first()).toBeVisible();
  expect(performance.now() - stopped).toBeLessThan(10_000);
  expect(stops).toEqual([{ force: false }]);
  expect(sleepers()).toEqual([]);
  await expectAccessible(page, 'a stopped task');

  await task
    .getByRole('link', { name: 'Run again' })
    .or(task.getByRole('button', { name: 'Run again' }))
    .click();
  await expect(page.getByRole('dialog').getByLabel('Message')).toHaveValue('Wait for a stop');
});
