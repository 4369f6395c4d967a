import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { isAlive, Product, until } from '../tooling/product/product.ts';
import { RemoteRunner } from '../tooling/product/remote-runner.ts';

/** Starts a daemon that clears its environment, prints the pid, and waits. */
const PLAYBOOK = `- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.command:
        argv: [python3, -c, "import os; p = os.fork(); p or (os.setsid(), os.execve('/bin/sleep', ['sleep', '300'], {})); print('daemon', p)"]
      register: daemon
    - ansible.builtin.debug: {msg: "{{ daemon.stdout }}"}
    - ansible.builtin.pause: {seconds: 300}
      when: wait | default(false)
`;

test('[S10] [R5] a remote runner over HTTP below a path runs tasks, and runs nothing after it was removed', async () => {
  test.setTimeout(180_000);
  const product = await Product.start({ SIGNALBOX_RUNNER_SLOTS: '0', SIGNALBOX_URL: 'http://127.0.0.1/ops' });
  const runner = new RemoteRunner();
  try {
    const client = await product.client();
    const created = await client.call('createRunner', { body: { name: 'far away' } });
    runner.start(`${product.address}/ops`, created.token);
    await product.runnerReady(client);
    const project = await PlaybookProject.create(client, 'Far', { 'site.yml': PLAYBOOK });
    const template = await project.template('site.yml');
    expect(await project.ended((await project.run(template)).id)).toMatchObject({ status: 'success' });

    const waiting = await project.template('site.yml', { arguments: '["-e", "wait=true"]' });
    const { id } = await project.run(waiting);
    const daemon = await until('the daemon', async () => {
      const printed = /daemon (\d+)/.exec((await project.log(id)).join('\n'))?.[1];
      return printed === undefined || printed === '0' ? undefined : Number(printed);
    });
    expect(isAlive(daemon)).toBe(true);
    await client.call('deleteRunner', { params: { runner_id: created.id } });
    const task = await project.ended(id, 15_000);
    expect(task.status).toBe('error');
    expect((await project.log(id)).at(-1)).toMatch(/runner/i);
    await until('everything of it being gone', () => (isAlive(daemon) ? undefined : true), 15_000);
    const runs = join(runner.data, 'runs');
    await until('its folder being gone', () => (existsSync(runs) && readdirSync(runs).length > 0 ? undefined : true));
    expect((await client.call('systemInfo')).runners).toBe(0);
  } finally {
    await runner.dispose();
    await product.dispose();
  }
});
