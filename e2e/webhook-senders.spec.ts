import { createHmac, randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Task } from '@signalbox/contract';
import { drawSample } from '../testing/sample.ts';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { expectAccessible, signIn } from './console.ts';
import { test } from './worker-product.ts';

const PLAYBOOK = '- hosts: all\n  gather_facts: false\n  tasks: []\n';
const SECRET = 'a secret of the senders';
const BODY = JSON.stringify({ ref: 'refs/heads/main', message: 'Grüße' });

const signature = (secret: string): string => createHmac('sha256', secret).update(BODY).digest('hex');

interface Sender {
  /** The check in the form. */
  readonly check: string;
  /** The headers of a call with this secret and delivery, as the program sends them. */
  readonly headers: (secret: string, delivery: string) => Record<string, string>;
  /** Fields of the form that the check needs in addition to the secret. */
  readonly fields?: Readonly<Record<string, string>>;
}

const SENDERS: readonly Sender[] = [
  {
    check: 'GitHub signature',
    headers: (secret, delivery) => ({
      'X-GitHub-Delivery': delivery,
      'X-GitHub-Event': 'push',
      'X-Hub-Signature-256': `sha256=${signature(secret)}`,
    }),
  },
  {
    check: 'GitLab secret token',
    headers: (secret, delivery) => ({
      'X-Gitlab-Event': 'Push Hook',
      'X-Gitlab-Event-UUID': delivery,
      'X-Gitlab-Token': secret,
    }),
  },
  {
    check: 'Gitea or Forgejo signature',
    headers: (secret, delivery) => ({
      'X-Forgejo-Delivery': delivery,
      'X-Forgejo-Event': 'push',
      'X-Forgejo-Signature': signature(secret),
    }),
  },
  {
    check: 'Bitbucket signature',
    headers: (secret, delivery) => ({
      'X-Event-Key': 'repo:push',
      'X-Hub-Signature': `sha256=${signature(secret)}`,
      'X-Request-UUID': delivery,
    }),
  },
  {
    check: 'Signature in a header',
    headers: (secret, delivery) => ({ 'X-Delivery': delivery, 'X-Signature': signature(secret) }),
    fields: { 'Header with the signature': 'X-Signature', 'Header with the delivery id': 'X-Delivery' },
  },
  {
    check: 'Bearer token',
    headers: (secret, delivery) => ({ Authorization: `Bearer ${secret}`, 'X-Delivery': delivery }),
    fields: { 'Header with the delivery id': 'X-Delivery' },
  },
];

const send = (address: string, { headers }: Sender, secret: string, delivery: string): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    body: BODY,
    headers: { 'Content-Type': 'application/json', ...headers(secret, delivery) },
  });

/** Creates a webhook in the form, and returns its address. */
const create = async (page: Page, { check, fields = {} }: Sender): Promise<string> => {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(check);
  await page.getByRole('combobox', { name: /^Sender check/ }).click();
  await page.getByRole('option', { name: check }).click();
  for (const [label, value] of Object.entries(fields)) await page.getByRole('textbox', { name: label }).fill(value);
  await page.getByLabel('Secret', { exact: true }).fill(SECRET);
  await page.getByRole('button', { name: 'Save webhook' }).click();
  await expect(page.getByText('Copy the address now. It is not shown again.')).toBeVisible();
  return (await page.locator('code').first().textContent()) ?? '';
};

test('a webhook of each kind of sender starts one task for a delivery, and none for a forged call', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000);
  const senders = drawSample('senders of webhooks', SENDERS, 2);
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Senders', { 'site.yml': PLAYBOOK });
  const template = await project.template('site.yml', { name: 'Deploy' });
  await signIn(page, product.address, 'admin', product.adminPassword);
  for (const sender of senders) {
    await page.goto(`${product.address}/project/${project.params.project_id}/webhooks/new?template=${template}`);
    const address = await create(page, sender);
    const calls = page.getByRole('table', { name: 'Calls' });
    const delivery = randomUUID();
    const first = await send(address, sender, SECRET, delivery);
    const { task_id: id } = (await first.json()) as { task_id: number };
    expect([sender.check, first.status]).toEqual([sender.check, 202]);
    await expect(calls.getByRole('row', { name: /Started/ })).toHaveCount(1);
    const again = await send(address, sender, SECRET, delivery);
    expect([again.status, await again.json()]).toMatchObject([200, { result: 'replayed', task_id: id }]);
    await expect(calls.getByRole('row', { name: /Repeated/ })).toHaveCount(1);
    const forged = await send(address, sender, 'another secret', randomUUID());
    expect(forged.status).toBe(404);
    await expect(calls.getByRole('row', { name: /Refused/ })).toContainText('does not match');
    if (sender === senders[0]) await expectAccessible(page, 'the calls of a webhook');
  }
  const tasks: Task[] = await client.call('listTasks', { params: project.params });
  expect(tasks.map(({ webhook_name }) => webhook_name).toReversed()).toEqual(senders.map(({ check }) => check));
});
