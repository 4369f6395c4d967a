import { createHmac, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const PLAYBOOK = '- hosts: all\n  gather_facts: false\n  tasks:\n    - debug: { msg: "release {{ release }}" }\n';
const SECRET = 'a secret of the journey';
const PUBLISHED = JSON.stringify({ action: 'published', release: { tag_name: 'v2.14.0' } });

/** Sends a call as GitHub does, signed with this secret. */
const send = (address: string, body: string, secret: string) =>
  fetch(address, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-GitHub-Event': 'release',
      'X-GitHub-Delivery': randomUUID(),
      'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  });

const fillForm = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Release published');
  await page.getByLabel('Secret', { exact: true }).fill(SECRET);
  await page.getByRole('button', { name: 'Add condition' }).click();
  const conditions = page.getByRole('region', { name: 'Start a task when' });
  await conditions.getByRole('textbox', { name: 'Path or name' }).fill('$.action');
  await conditions.getByRole('textbox', { name: 'Value' }).fill('published');
  await page.getByRole('button', { name: 'Add value' }).click();
  const values = page.getByRole('region', { name: 'Fill in' });
  await values.getByRole('textbox', { name: 'Path or name' }).fill('$.release.tag_name');
  await values.getByRole('textbox', { name: 'Pattern' }).fill('^v(.+)$');
};

const trySample = async (page: Page): Promise<void> => {
  const sample = page.getByRole('region', { name: 'Try with this body' });
  await sample.getByRole('button', { name: 'Insert an example' }).click();
  await expect(sample.getByText('Would start Release it.')).toBeVisible();
  await expect(sample.getByText('With Release 2.14.0.')).toBeVisible();
  await expect(sample.locator('.cm-tinted')).toHaveCount(2);
  await page.getByRole('textbox', { name: 'Value' }).fill('created');
  await expect(sample.getByText('$.action is “published”.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Value' }).fill('published');
  await expect(sample.getByText('Would start Release it.')).toBeVisible();
};

test('a webhook is created in the page, starts a task by a signed call, and refuses a forged one', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'By webhook', { 'site.yml': PLAYBOOK });
  const template = await project.template('site.yml', {
    name: 'Release it',
    survey_vars: [{ name: 'release', title: 'Release', required: true }],
  });
  await signIn(page, product.address, 'admin', product.adminPassword);
  await page.goto(`${product.address}/project/${project.params.project_id}/templates/${template}/edit`);
  await page.getByRole('dialog').getByRole('link', { name: 'Add webhook' }).click();
  await expect(page.getByRole('heading', { name: 'New webhook' })).toBeVisible();
  await fillForm(page);
  await trySample(page);
  await expectAccessible(page, 'the form of a webhook');
  await page.getByRole('button', { name: 'Save webhook' }).click();
  await expect(page.getByText('Copy the address now. It is not shown again.')).toBeVisible();
  const address = (await page.locator('code').textContent()) ?? '';

  const calls = page.getByRole('table', { name: 'Calls' });
  expect((await send(address, PUBLISHED, SECRET)).status).toBe(202);
  const started = calls.getByRole('row', { name: /Started/ });
  await expect(started).toContainText('release');
  const [task] = await client.call('listTemplateTasks', { params: { ...project.params, template_id: template } });
  expect(task).toMatchObject({ environment: '{"release":"2.14.0"}', webhook_name: 'Release published' });
  expect((await send(address, PUBLISHED, 'another secret')).status).toBe(404);
  const refused = calls.getByRole('row', { name: /Refused/ });
  await expect(refused).toContainText('The signature or secret does not match.');
  await expect(refused.getByRole('button', { name: 'Send again' })).toHaveCount(0);

  await started.getByRole('button', { name: 'Send again' }).click();
  await expect(calls.getByRole('row', { name: /Started/ })).toHaveCount(2);
  await started
    .last()
    .getByRole('button', { name: /ago|now/ })
    .click();
  const dialog = page.getByRole('dialog', { name: /Received call/ });
  await expect(dialog).toContainText('x-github-event: release');
  await expectAccessible(page, 'a received call');
  await page.keyboard.press('Escape');
  await started
    .last()
    .getByRole('link', { name: `#${task?.id}` })
    .click();
  await expect(page.getByRole('dialog', { name: /Release it/ })).toContainText('Release published');
  await page.keyboard.press('Escape');
  await page.getByRole('navigation', { name: 'You are here' }).getByRole('link').click();
  const row = page.getByRole('row', { name: /Release published/ });
  await row.getByRole('switch', { name: 'Active: Release published' }).press('Space');
  await expect(row.getByRole('switch')).not.toBeChecked();
  expect(await (await send(address, PUBLISHED, SECRET)).json()).toMatchObject({ result: 'paused' });
  await expect(row).toContainText('Paused');
  await expectAccessible(page, 'the list of webhooks');
});
