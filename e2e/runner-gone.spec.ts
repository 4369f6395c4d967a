import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product, until } from '../tooling/product/product.ts';
import { signIn } from './console.ts';

const LOST_AFTER_SECONDS = 30;
const ITEMS = 20;

const speaking = (pause: number): string => `- name: Print for a while
  hosts: all
  gather_facts: false
  tasks:
    - name: Print
      ansible.builtin.debug:
        msg: "number {{ item }}"
      loop: "{{ range(${ITEMS}) | list }}"
      loop_control:
        pause: ${pause}
`;
const FILES = { 'short.yml': speaking(1), 'long.yml': speaking(10) };

const numbersIn = (log: readonly string[]): number[] =>
  log.flatMap((line) => {
    const match = /"msg": "number (\d+)"/.exec(line);
    return match ? [Number(match[1])] : [];
  });

/** A product whose runner receives and sends nothing from `freeze` to `thaw`, as with a broken network. */
const startProduct = async () => {
  const product = await Product.start({ SIGNALBOX_LOST_AFTER_SECONDS: String(LOST_AFTER_SECONDS) });
  const client = await product.client();
  const project = await PlaybookProject.create(client, 'Silence', FILES);
  await product.runnerReady(client);
  const runner = product.runnerPid ?? 0;
  const printed = (id: number, numbers: number) =>
    until(`${numbers} numbers`, async () => numbersIn(await project.log(id)).length >= numbers || undefined, 60_000);
  return {
    product,
    project,
    printed: printed,
    freeze: () => process.kill(runner, 'SIGSTOP'),
    thaw: () => process.kill(runner, 'SIGCONT'),
  };
};

test('[R11] a runner that is silent for a while: the task shows since when, and continues normally when the runner is back', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { product, project, printed, freeze, thaw } = await startProduct();
  try {
    const { id } = await project.run(await project.template('short.yml'));
    await printed(id, 2);
    const frozen = Date.now();
    freeze();
    const since = await until(
      'the notice that the runner is unreachable',
      async () => (await project.task(id)).runner_unreachable_since ?? undefined,
      30_000,
    );
    expect(Math.abs(Date.parse(since) - frozen)).toBeLessThan(10_000);
    await signIn(page, product.address, 'admin', product.adminPassword);
    await page.goto(`${product.address}/project/1/history?t=${id}`);
    await expect(page.getByRole('alert').filter({ hasText: 'Runner unreachable since' })).toBeVisible();
    thaw();
    const task = await project.ended(id);
    expect(task).toMatchObject({ status: 'success', runner_unreachable_since: null });
    expect(numbersIn(await project.log(id))).toEqual(Array.from({ length: ITEMS }, (_, n) => n));
  } finally {
    await product.dispose();
  }
});

test('[R3] [R4] [R11] a runner that is silent for too long: the task ends as error, later messages are refused, and the log is kept on the runner', async () => {
  test.setTimeout(180_000);
  const { product, project, printed, freeze, thaw } = await startProduct();
  try {
    const { id } = await project.run(await project.template('long.yml'));
    await printed(id, 1);
    freeze();
    const task = await project.ended(id, (LOST_AFTER_SECONDS + 30) * 1000);
    expect(task).toMatchObject({ status: 'error', end_reason: { code: 'runner.silent' } });
    const log = await project.log(id);
    expect(log.at(-1)).toMatch(/^The runner was silent for 30 seconds, so the result of the playbook is unknown/);
    thaw();
    const late = join(product.folder, 'runner', 'late', `${id}-1.log`);
    await until('the late log', () => existsSync(late) || undefined, 30_000);
    expect(numbersIn(readFileSync(late, 'utf8').split('\n')).length).toBeGreaterThanOrEqual(2);
    expect(statSync(late).mode & 0o777).toBe(0o600);
    expect(await project.log(id)).toEqual(log);
    expect(await project.task(id)).toEqual(task);
    const events = await project.client.call('listEvents', { params: project.params });
    expect(events.map(({ description }) => description).join('\n')).toContain('is kept on that runner for 24 hours');
    const again = await project.ended((await project.run(await project.template('short.yml'))).id);
    expect(again.status).toBe('success');
  } finally {
    await product.dispose();
  }
});
