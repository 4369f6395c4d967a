import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { damagedDatabases } from '../tooling/product/crash/leftovers.ts';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product, until } from '../tooling/product/product.ts';
import { SmallDisk } from '../tooling/product/small-disk.ts';

const ITEMS = 100;
/** Longer than a page of memory, so that a full disk has no space for the next number. */
const PADDING = 'x'.repeat(5000);

const PRINT = `- name: Print for a while
  hosts: all
  gather_facts: false
  tasks:
    - name: Print
      ansible.builtin.debug:
        msg: "number {{ item }} ${PADDING}"
      loop: "{{ range(${ITEMS}) | list }}"
      loop_control:
        label: "{{ item }}"
        pause: 0.03
`;
const FILES = { 'print.yml': PRINT };

const numbersIn = (log: readonly string[]): number[] =>
  log.flatMap((line) => {
    const match = /"msg": "number (\d+) /.exec(line);
    return match ? [Number(match[1])] : [];
  });
const WHOLE = Array.from({ length: ITEMS }, (_, n) => n);

/** A product whose runner or whose databases have their own small disk. */
const startProduct = async (megabytes: { readonly server?: number; readonly runner: number }) => {
  const disks: { server?: SmallDisk; runner?: SmallDisk } = {};
  const product = await Product.start({}, (folder) => {
    if (megabytes.server !== undefined) disks.server = SmallDisk.mount(folder, megabytes.server);
    disks.runner = SmallDisk.mount(join(folder, 'runner'), megabytes.runner);
  });
  const dispose = async (): Promise<void> => {
    disks.runner?.free();
    disks.server?.free();
    const pid = product.runnerPid;
    await product.stopServer();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    const damaged = damagedDatabases(product.folder);
    disks.runner?.unmount();
    disks.server?.unmount();
    await product.dispose();
    expect(damaged).toEqual([]);
  };
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Full', FILES);
  await product.runnerReady(client);
  return { product, client, project, ...disks, dispose };
};

const printed = (project: PlaybookProject, id: number, numbers: number) =>
  until(`${numbers} numbers`, async () => numbersIn(await project.log(id)).length >= numbers || undefined, 60_000);

test('[R10] the disk of the runner is full while it logs: the run waits for free space, new ones are refused, and everything recovers', async () => {
  test.setTimeout(240_000);
  const { project, runner, dispose } = await startProduct({ runner: 48 });
  try {
    const template = await project.template('print.yml', { allow_parallel_tasks: true });
    const { id } = await project.run(template);
    await printed(project, id, 5);
    runner?.fill();
    const refused = await project.ended((await project.run(template)).id);
    expect(refused.status).toBe('error');
    expect((await project.log(refused.id)).at(-1)).toBe('The disk of the runner is full. The task was not started.');
    await delay(3000);
    expect((await project.task(id)).status).toBe('running');
    runner?.free();
    expect((await project.ended(id)).status).toBe('success');
    expect(numbersIn(await project.log(id))).toEqual(WHOLE);
    expect((await project.ended((await project.run(template)).id)).status).toBe('success');
  } finally {
    await dispose();
  }
});

test('[R10] [R5] a run whose disk is full can be stopped, and its log shows where it was cut', async () => {
  test.setTimeout(240_000);
  const { client, project, runner, dispose } = await startProduct({ runner: 48 });
  try {
    const { id } = await project.run(await project.template('print.yml'));
    await printed(project, id, 5);
    runner?.fill();
    await delay(2000);
    const since = performance.now();
    await client.call('stopTask', { params: { ...project.params, task_id: id }, body: { force: true } });
    expect((await project.ended(id)).status).toBe('stopped');
    expect(performance.now() - since).toBeLessThan(10_000);
    const log = await project.log(id);
    expect(log.at(-1)).toMatch(/The task was stopped\.$/);
    expect(numbersIn(log)).toEqual(WHOLE.slice(0, numbersIn(log).length));
  } finally {
    await dispose();
  }
});

test('[R3] [R10] a run whose disk is full ends even if its supervisor is killed', async () => {
  test.setTimeout(240_000);
  const { product, project, runner, dispose } = await startProduct({ runner: 48 });
  try {
    const { id } = await project.run(await project.template('print.yml'));
    await printed(project, id, 5);
    runner?.fill();
    const started = readFileSync(join(product.folder, 'runner', 'runs', `${id}-1`, 'started'), 'utf8');
    for (const [, pid] of started.matchAll(/^(\d+) \d+$/gm))
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch (error) {
        // The watchdog may have ended already, because it ends after its supervisor.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    expect((await project.ended(id)).status).toBe('error');
    const log = await project.log(id);
    expect(log.at(-1)).toMatch(/how the run ended is not known/);
    expect(numbersIn(log)).toEqual(WHOLE.slice(0, numbersIn(log).length));
  } finally {
    await dispose();
  }
});

test('[R10] the disk of the runner fills while it fetches: the run fails with that reason, and the mirror is whole afterwards', async () => {
  test.setTimeout(240_000);
  const { client, product, runner, dispose } = await startProduct({ runner: 64 });
  try {
    const large = randomBytes(8_000_000).toString('base64');
    const project = await PlaybookProject.create(client, 'Large', { ...FILES, large });
    const template = await project.template('print.yml');
    runner?.fill(3_000_000);
    const failed = await project.ended((await project.run(template)).id);
    expect(failed.status).toBe('error');
    expect((await project.log(failed.id)).at(-1)).toBe('The disk of the runner is full.');
    runner?.free();
    const good = await project.ended((await project.run(template)).id);
    expect(good.status).toBe('success');
    expect(product.runnerPid).toBeDefined();
  } finally {
    await dispose();
  }
});

test('[R10] the disk of the server is full: changes are refused with that reason, logs stay on the runner, and everything recovers by itself', async () => {
  test.setTimeout(240_000);
  const { client, product, project, server, dispose } = await startProduct({ server: 40, runner: 100 });
  try {
    const template = await project.template('print.yml');
    const { id } = await project.run(template);
    await printed(project, id, 5);
    const pids = [product.serverPid, product.runnerPid];
    server?.fill();
    const inventory = `# ${'x'.repeat(500_000)}\nlocalhost\n`;
    const key = (await client.call('listKeys', { params: project.params }))[0]?.id ?? 0;
    const add = (name: string) =>
      client.call('createInventory', {
        params: project.params,
        body: { name, type: 'static', inventory, ssh_key_id: key },
      });
    const refusal = await until('a refusal', () => add(`inventory ${performance.now()}`).then(() => undefined, String));
    expect(refusal).toMatch(/503: .*The disk of the database is full: nothing can be stored until space is freed\./);
    await expect(project.run(template)).rejects.toThrow(/503: .*The disk of the database is full/);
    // Reading still works.
    expect((await client.call('listTemplates', { params: project.params })).length).toBe(1);
    await delay(5000);
    server?.free();
    await add('with free space');
    expect((await project.ended(id)).status).toBe('success');
    expect(numbersIn(await project.log(id))).toEqual(WHOLE);
    expect([product.serverPid, product.runnerPid]).toEqual(pids);
  } finally {
    await dispose();
  }
});
