import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { lockFiles, OutagePostgres } from '../tooling/product/database-outage.ts';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { isAlive, Product, until } from '../tooling/product/product.ts';

const ITEMS = 120;

/** Prints for about eight seconds, and records its progress in a separate file. */
const speaking = (notes: string): string => `- name: Print for a while
  hosts: all
  gather_facts: false
  tasks:
    - name: Print
      ansible.builtin.debug:
        msg: "number {{ item }} {{ lookup('pipe', 'echo {{ item }} >> ${notes}/progress; echo') }}"
      loop: "{{ range(${ITEMS}) | list }}"
      loop_control:
        pause: 0.05
`;

const numbersIn = (log: readonly string[]): number[] =>
  log.flatMap((line) => {
    const match = /"msg": "number (\d+)/.exec(line);
    return match ? [Number(match[1])] : [];
  });

/** Sends calls while the database is unavailable: each is refused in time, with the time of the next attempt. */
const expectRefusals = async (product: Product, cookie: string, calls: Outage['refused']) => {
  await Promise.all(
    calls.map(async ([method, path]) => {
      const since = performance.now();
      const answer = await fetch(`${product.address}/api${path}`, {
        method,
        headers: { cookie, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
        ...(method === 'POST' ? { body: JSON.stringify({ name: 'Not now', template_id: 1 }) } : {}),
      });
      const body = await answer.text();
      expect(answer.status, `${path}: ${body}`).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('2');
      expect(performance.now() - since, path).toBeLessThan(2000);
    }),
  );
  expect((await fetch(`${product.address}/api/ping`)).status).toBe(200);
};

interface Outage {
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
  readonly refused: readonly (readonly [method: string, path: string])[];
}

/** Makes the database unavailable during a playbook, and available again during or after the playbook. */
const expectSurvival = async (product: Product, outage: Outage, seconds: number) => {
  const client = await product.client();
  const notes = join(product.folder, 'notes');
  mkdirSync(notes, { recursive: true });
  const printed = () =>
    existsSync(join(notes, 'progress')) ? readFileSync(join(notes, 'progress'), 'utf8').split('\n').length - 1 : 0;
  const project = await PlaybookProject.create(client, 'Survival', { 'speak.yml': speaking(notes) });
  await product.runnerReady(client);
  const { id } = await project.run(await project.template('speak.yml'));
  await until('the first lines', () => (printed() > 5 ? true : undefined), 60_000);
  const [server, runner] = [product.serverPid, product.runnerPid];
  await outage.begin();
  const before = printed();
  try {
    for (let round = 0; round < 2; round++) await expectRefusals(product, client.cookie, outage.refused);
    await delay(seconds * 1000);
    // Meanwhile the playbook continues, and the runner keeps its log on the disk.
    expect(printed()).toBeGreaterThan(before + 10);
    await expectRefusals(product, client.cookie, outage.refused);
  } finally {
    await outage.end();
  }
  const task = await project.ended(id, 60_000);
  expect(task.status).toBe('success');
  expect(numbersIn(await project.log(id))).toEqual(Array.from({ length: ITEMS }, (_, n) => n));
  expect([product.serverPid, product.runnerPid]).toEqual([server, runner]);
  expect(server !== undefined && isAlive(server)).toBe(true);
};

const EVERY_CALL: Outage['refused'] = [
  ['GET', '/ready'],
  ['GET', '/projects'],
  ['POST', '/projects'],
  ['GET', '/project/1/tasks'],
  ['POST', '/project/1/tasks'],
];

for (const how of ['frozen', 'killed'] as const) {
  test(`[R9] PostgreSQL ${how} for a while: playbooks go on, calls are refused in time, everything is written afterwards`, async () => {
    test.setTimeout(240_000);
    const postgres = await OutagePostgres.start();
    const product = await Product.start({ DATABASE_URL: postgres.url });
    try {
      const [begin, end] =
        how === 'frozen'
          ? [() => postgres.freeze(), () => postgres.thaw()]
          : [() => postgres.kill(), () => postgres.again()];
      await expectSurvival(product, { begin, end, refused: EVERY_CALL }, 4);
    } finally {
      await product.dispose();
      await postgres.stop();
    }
  });
}

test('[R9] SQLite locked by another process: reading goes on, writing is refused in time, everything is written afterwards', async () => {
  test.setTimeout(240_000);
  const product = await Product.start();
  let unlock = (): void => undefined;
  try {
    const begin = (): void => {
      unlock = lockFiles(product.folder);
    };
    const refused = [
      ['POST', '/projects'],
      ['POST', '/project/1/tasks'],
    ] as const;
    await expectSurvival(product, { begin, end: () => unlock(), refused }, 4);
  } finally {
    await product.dispose();
  }
});
