import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { drawSample } from '../../../testing/sample.ts';
import { markedProcesses } from '../process/process-table.ts';
import { expectAtBest, timeOf } from '../testing/best-time.testing.ts';
import { openHarness, play } from '../testing/playbooks.testing.ts';
import { localHost, type RunnerHarness } from '../testing/runner-harness.testing.ts';

/** The guaranteed times, in milliseconds. */
const GENTLE_MS = 10_000;
const FORCED_MS = 2_000;
/** Sleeps for a time that no other test run on this machine uses, because the processes are found by it. */
const SECONDS = 1_000_000 + process.pid;

let harness: RunnerHarness;
afterEach(() => harness.close());

const commandsOf = (pids: readonly number[]): string[] =>
  pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  });
const sleepers = (): number =>
  commandsOf(readdirSync('/proc').map(Number).filter(Number.isInteger)).filter(
    (command) => command === `sleep ${SECONDS} `,
  ).length;

/** A server that accepts connections and never answers. */
const silentPort = async (): Promise<number> => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  return (silent.address() as { port: number }).port;
};

const RUDE = play(
  '- name: Leave the group, the session and the environment',
  `  ansible.builtin.shell: setsid env -i /bin/sh -c 'trap "" INT TERM; sleep ${SECONDS}' > /dev/null 2>&1 < /dev/null &`,
  '- name: Leave a daemon as an asynchronous task',
  `  ansible.builtin.command: sleep ${SECONDS}`,
  `  async: ${SECONDS}`,
  '  poll: 0',
  '- name: Ignore signals',
  `  ansible.builtin.shell: trap "" INT TERM; sleep ${SECONDS}`,
);

interface Phase {
  readonly name: string;
  /** The program that runs in the phase. */
  readonly program: string;
  readonly files: (port: number) => Record<string, string>;
  readonly url?: (port: number) => string;
  readonly sleepers?: number;
  /** A time limit that ends during the phase, in seconds. */
  readonly limit: number;
}

const PHASES: readonly Phase[] = [
  {
    name: 'fetch',
    program: 'git',
    files: () => ({ 'site.yml': play('- ansible.builtin.ping:') }),
    url: (port) => `https://127.0.0.1:${port}/x.git`,
    limit: 8,
  },
  {
    name: 'requirements',
    program: 'ansible-galaxy',
    files: (port) => ({
      'site.yml': play('- ansible.builtin.ping:'),
      'requirements.yml': `roles:\n  - name: slow\n    src: http://127.0.0.1:${port}/role.tar.gz\n`,
    }),
    // ansible-galaxy itself gives up waiting for a silent server after ten seconds.
    limit: 8,
  },
  {
    name: 'playbook with daemons',
    program: 'ansible-playbook',
    files: () => ({ 'site.yml': RUDE }),
    sleepers: 4,
    limit: 20,
  },
];

/** Ways of ending a run. In each phase, `npm test` tries one of them. */
const ENDINGS = ['gently', 'by force', 'by the time limit'] as const;

describe.each(PHASES)(
  '[R5] a run in the phase "$name"',
  ({ name, program, files, url, sleepers: expected = 0, limit }) => {
    const begin = async (more: { max_duration?: number } = {}) => {
      const port = await silentPort();
      harness = await openHarness(files(port));
      const { server } = harness;
      await harness.startRunner();
      await server.message('hello');
      const one = {
        type: 'static',
        inventory: localHost('one'),
        access: { type: 'none' },
        become: null,
      } as const;
      const repository = url && ({ id: 1, url: url(port), branch: 'main', access: { type: 'none' } } as const);
      const run = server.sendJob(harness.job(1, { inventory: one, ...(repository ? { repository } : {}), ...more }));
      const folderId = createHash('sha256')
        .update(join(harness.data, 'runs', '1-1'))
        .digest('hex')
        .slice(0, 8);
      const marked = () => markedProcesses(`1-1-${folderId}`);
      await expect
        .poll(async () => commandsOf(await marked()).some((command) => command.includes(program)), { timeout: 30_000 })
        .toBe(true);
      if (expected > 0) await expect.poll(sleepers, { timeout: 30_000 }).toBeGreaterThanOrEqual(expected - 1);
      return { server, run, marked };
    };

    const endings = drawSample(`ways of ending a run: ${name}`, ENDINGS, 1);
    for (const way of endings.filter((one) => one !== 'by the time limit')) {
      const force = way === 'by force';
      it(`reports its end in time when it is stopped ${way}, and has no process left then`, async () => {
        await expectAtBest(force ? FORCED_MS : GENTLE_MS, async () => {
          const { server, run, marked } = await begin();
          const took = await timeOf(() => {
            server.send({ type: 'stop', task_id: 1, epoch: 1, force });
            return server.until(() => run.ended, 'the end');
          });
          expect(run.ended).toMatchObject({ result: 'stopped', reason: 'stopped' });
          expect(await marked()).toEqual([]);
          expect(sleepers()).toBe(0);
          expect(run.lines.at(-1)).toBe('The task was stopped.');
          await harness.close();
          return took;
        });
      });
    }

    it.each(endings.filter((way) => way === 'by the time limit'))(
      'has no process left when it is stopped %s of its template',
      async () => {
        const { server, run, marked } = await begin({ max_duration: limit });
        const ended = await server.until(() => run.ended, 'the end');
        expect(ended).toMatchObject({ result: 'error', reason: 'time_limit' });
        expect(await marked()).toEqual([]);
        expect(sleepers()).toBe(0);
      },
    );
  },
);
