import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { drawSample } from '../testing/sample.ts';
import { signalbox } from '../tooling/product/command.ts';
import { PlaybookProject } from '../tooling/product/playbook-project.ts';
import { Product, until } from '../tooling/product/product.ts';
import { floodFiles } from './flood.ts';

const KILLS = 20;
const ITEMS = 30;
/**
 * Range of moments for the kill, in milliseconds after the start of the task: from fetching to the middle of the
 * playbook.
 */
const SPAN_MS = 3_000;

/** Counts its own runs in a separate file, then prints for about two seconds. */
const playbook = (counter: string): string => `- name: Print slowly
  hosts: all
  gather_facts: false
  tasks:
    - name: Count this run
      ansible.builtin.shell: echo run >> ${counter}-{{ semaphore_vars.task_details.id }}
    - name: Print
      ansible.builtin.debug:
        msg: "number {{ item }}"
      loop: "{{ range(${ITEMS}) | list }}"
      loop_control:
        pause: 0.06
`;

const LINES = 300_000;
const SECRET = 'hunter2-correct-horse';

const numbersIn = (log: readonly string[]): number[] =>
  log.flatMap((line) => {
    const match = /"msg": "number (\d+)"/.exec(line) ?? /msg: number (\d+)/.exec(line);
    return match ? [Number(match[1])] : [];
  });

const random = (seed: number): number => {
  const value = Math.sin(seed * 12.9898) * 43_758.5453;
  return value - Math.floor(value);
};

for (const victim of ['server', 'runner'] as const) {
  test(`[R1][R2][R3][R6] kill -9 of the ${victim} at random moments: the playbook runs once, its log is whole, its status right`, async () => {
    test.setTimeout(600_000);
    const product = await Product.start();
    try {
      const client = await product.client();
      const counter = join(product.folder, 'ran');
      const project = await PlaybookProject.create(client, 'Survival', { 'speak.yml': playbook(counter) });
      const template = await project.template('speak.yml');
      await product.runnerReady(client);
      const took: number[] = [];
      for (const kill of drawSample(`moments of a kill: ${victim}`, [...Array(KILLS).keys()], 5)) {
        const moment = Math.round(random(kill + (victim === 'server' ? 1 : 101)) * SPAN_MS);
        const { id } = await project.run(template);
        await new Promise((resolve) => setTimeout(resolve, moment));
        if (victim === 'server') {
          await product.killServer();
          await product.startServer();
        } else await product.killRunner();
        const restarted = performance.now();
        const task = await project.ended(id, 60_000);
        const what = `kill ${kill} after ${moment} ms`;
        expect(task.status, what).toBe('success');
        took.push(performance.now() - restarted);
        expect(readFileSync(`${counter}-${id}`, 'utf8'), what).toBe('run\n');
        const log = await project.log(id);
        expect(numbersIn(log), what).toEqual(Array.from({ length: ITEMS }, (_, n) => n));
        expect(
          log.filter((line) => line.startsWith('PLAY RECAP')),
          what,
        ).toHaveLength(1);
      }
      // The rest of the playbook after the restart, plus 15 s. One of ten may take longer on a busy machine.
      expect(took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.9) - 1], took.join(', ')).toBeLessThan(
        15_000 + SPAN_MS,
      );
    } finally {
      await product.dispose();
    }
  });
}

/** Events that may happen before the log of an ended run is delivered. */
const MEANWHILE: Readonly<Record<string, (product: Product) => Promise<void>>> = {
  'the runner is killed': (product) => product.killRunner(),
  'the encryption key is changed': async (product) => {
    // A local runner ends without its server.
    await until('the runner being gone', () => (product.runnerPid === undefined ? true : undefined), 30_000);
    const { code, err } = await signalbox(['vault', 'rekey'], { SIGNALBOX_DATA: product.folder }).ended;
    expect(code, err).toBe(0);
  },
};

test('[R12] a playbook continues while its server is stopped, and the next start finds it with its whole log', async () => {
  const product = await Product.start();
  try {
    const client = await product.client();
    const counter = join(product.folder, 'ran');
    const project = await PlaybookProject.create(client, 'Orderly', { 'speak.yml': playbook(counter) });
    await product.runnerReady(client);
    const { id } = await project.run(await project.template('speak.yml'));
    await until('some numbers', async () => numbersIn(await project.log(id)).length >= 3 || undefined);
    expect(await product.stopServer()).toBe(0);
    expect(product.runnerPid).toBeDefined();
    await product.startServer();
    expect((await project.ended(id, 60_000)).status).toBe('success');
    expect(numbersIn(await project.log(id))).toEqual(Array.from({ length: ITEMS }, (_, n) => n));
    expect(readFileSync(`${counter}-${id}`, 'utf8')).toBe('run\n');
  } finally {
    await product.dispose();
  }
});

for (const [what, happen] of Object.entries(MEANWHILE)) {
  test(`[R6][S5][S6] the log of a run that ended without a server is whole and masked, though ${what}`, async () => {
    test.setTimeout(180_000);
    const product = await Product.start();
    try {
      const client = await product.client();
      const go = join(product.folder, 'go');
      const project = await PlaybookProject.create(
        client,
        'Away',
        floodFiles(`write(b'waiting\\n')
while not os.path.exists('${go}'):
    time.sleep(0.01)
for n in range(${LINES}):
    write(b'number %d ${SECRET}\\n' % n)`),
      );
      const { params } = project;
      const environment = await client.call('createEnvironment', {
        params,
        body: { name: 'Secret', secrets: [{ name: 'word', type: 'var', secret: SECRET }] },
      });
      const template = await project.template('flood.yml', { environment_id: environment.id });
      await product.runnerReady(client);
      const { id } = await project.run(template);
      await until('the wait', async () => ((await project.log(id)).includes('waiting') ? true : undefined));
      await product.killServer();
      writeFileSync(go, '');
      const file = (name: string) => join(product.folder, 'runner', 'runs', `${id}-1`, name);
      const hasEnded = () => (existsSync(file('exit')) && !existsSync(file('job.json')) ? true : undefined);
      await until('the end of the run', hasEnded, 60_000);
      await happen(product);
      await product.startServer();
      expect((await project.ended(id, 60_000)).status).toBe('success');
      const log = await project.log(id);
      expect(log.filter((line) => line.startsWith('number '))).toEqual(
        Array.from({ length: LINES }, (_, n) => `number ${n} ****`),
      );
      expect(log.join('\n')).not.toContain(SECRET);
    } finally {
      await product.dispose();
    }
  });
}
