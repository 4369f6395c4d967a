import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product } from '../tooling/product/product.ts';
import { RemoteRunner } from '../tooling/product/remote-runner.ts';

/** Adds the app that only tests have to the tables of a process, before the process reads them. */
const importing = (path: string) => ({ NODE_OPTIONS: `--import=${new URL(path, import.meta.url).href}` });
const SERVER = importing('../contract/src/testing/print-app.ts');
const RUNNER = importing('../runner/src/testing/print-app/register.ts');

test('an app that is added to the table runs on a runner that has it, next to Ansible', async () => {
  const product = await Product.start(SERVER);
  const remote = new RemoteRunner();
  try {
    const client = await product.client();
    const project = await PlaybookProject.create(client, 'Apps', {
      'hello.txt': 'Hello from a file\n',
      'site.yml': '- hosts: all\n  gather_facts: false\n  tasks: []\n',
    });
    const print = await project.template('hello.txt', { app: 'print' as 'ansible', inventory_id: null });
    const playbook = await project.template('site.yml');
    const waiting = await project.run(print);
    expect(await project.ended((await project.run(playbook)).id)).toMatchObject({ app: 'ansible', status: 'success' });
    // The local runner is connected and idle, but it does not have the app.
    expect(await project.task(waiting.id)).toMatchObject({ app: 'print', status: 'waiting' });
    const { token } = await client.call('createRunner', { body: { name: 'with-print' } });
    remote.start(product.address, token, RUNNER);
    expect(await project.ended(waiting.id)).toMatchObject({ status: 'success', runner_name: 'with-print' });
    expect(await project.log(waiting.id)).toContain('Hello from a file');
    const missing = await project.template('absent.txt', { app: 'print' as 'ansible', inventory_id: null });
    expect(await project.ended((await project.run(missing)).id)).toMatchObject({
      status: 'error',
      end_reason: { code: 'playbook.missing', params: { path: 'absent.txt' } },
    });
    const runners = await client.call('listRunners', {});
    expect(runners.find(({ name }) => name === 'with-print')?.apps).toContainEqual({ name: 'print', version: '1' });
  } finally {
    await remote.dispose();
    await product.dispose();
  }
});
