import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@signalbox/contract/limits';
import { afterEach, describe, expect, it } from 'vitest';
import { markedProcesses } from '../process/process-table.ts';
import { jobKeyOf, OTHER_KEY } from '../testing/link-server.testing.ts';
import { openCounting, openHarness, play, release } from '../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';
import { UNMASKABLE_LINE, WRONG_KEY_MS } from './closed-run.ts';

let harness: RunnerHarness;
afterEach(() => harness.close());

const entries = (name: string): string[] =>
  existsSync(join(harness.data, name)) ? readdirSync(join(harness.data, name)).toSorted() : [];
const marked = () => {
  const folderId = createHash('sha256')
    .update(join(harness.data, 'runs', '1-1'))
    .digest('hex')
    .slice(0, 8);
  return markedProcesses(`1-1-${folderId}`);
};

/** Resolves when a run has ended and its secrets were removed. */
const endOf = (name: string) => {
  const file = (which: string) => existsSync(join(harness.data, 'runs', name, which));
  return harness.server.until(() => file('exit') && !file('job.json'), 'the end of the run');
};

describe('[R11] an orphaned run', () => {
  it('leaves a masked log for a day and no process, also if its playbook left a process on purpose', async () => {
    harness = await openHarness({
      'site.yml': play(
        '- ansible.builtin.shell: setsid sleep 60 > /dev/null 2>&1 < /dev/null &',
        '- ansible.builtin.debug:',
        '    msg: "the value is {{ value }}"',
      ),
    });
    const { server } = harness;
    server.reactions.acknowledgeEnd = false;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1, { secret_variables: { value: 'secret-of-the-run' } }));
    await server.until(() => run.ended, 'the end');
    expect((await marked()).length).toBeGreaterThan(0);
    server.send({ type: 'acknowledged', task_id: 1, epoch: 1, orphaned: true });
    await server.until(() => entries('runs').length === 0, 'an empty folder');
    expect(entries('late')).toEqual(['1-1.log']);
    const path = join(harness.data, 'late', '1-1.log');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toContain('the value is ****');
    expect(await marked()).toEqual([]);
    expect(entries('places')).toEqual([]);
  });

  it.each([
    ['masked by a restarted runner', true, 'the value is ****'],
    ['or one line instead if the secrets to mask are unknown', false, UNMASKABLE_LINE],
  ])('leaves its log, %s', async (_, hasKey, kept) => {
    harness = await openHarness({
      'site.yml': play('- ansible.builtin.debug:', '    msg: "the value is {{ value }}"'),
    });
    const { server } = harness;
    Object.assign(server.reactions, { storeOutput: false, resume: false });
    const runner = await harness.startRunner();
    await server.message('hello');
    server.sendJob(harness.job(1, { secret_variables: { value: 'secret-of-the-run' } }));
    await endOf('1-1');
    runner.kill('SIGKILL');
    await runner.exited;
    const record = join(harness.data, 'runs', '1-1', 'refused');
    writeFileSync(record, '');
    const then = new Date(Date.now() - WRONG_KEY_MS - 1_000);
    utimesSync(record, then, then);
    await harness.startRunner();
    await server.until(() => server.messages.filter(({ type }) => type === 'hello').length === 2, 'the second hello');
    const job_key = hasKey ? jobKeyOf({ task_id: 1, epoch: 1 }) : OTHER_KEY;
    server.send({ type: 'acknowledged', task_id: 1, epoch: 1, orphaned: true, job_key });
    await server.until(() => entries('runs').length === 0, 'an empty folder');
    const text = readFileSync(join(harness.data, 'late', '1-1.log'), 'utf8');
    expect(text).toContain(kept);
    expect(text).not.toContain('secret-of-the-run');
  });

  it('is ended if it still runs, and its log so far is kept', async () => {
    harness = await openCounting();
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.until(() => run.lines.some((line) => line.startsWith('TASK [Wait]')), 'the waiting step');
    server.send({ type: 'abandon', task_id: 1, epoch: 1, orphaned: true });
    await server.until(() => entries('runs').length === 0, 'an empty folder');
    expect(readFileSync(join(harness.data, 'late', '1-1.log'), 'utf8')).toContain('number 99');
    expect(await marked()).toEqual([]);
    await release(harness);
  });
});

/** A run that has ended, whose runner was killed before a server received its log. */
const leaveEndedRun = async () => {
  harness = await openHarness();
  const { server } = harness;
  const runner = await harness.startRunner();
  await server.message('hello');
  server.reactions.storeOutput = false;
  server.sendJob(harness.job(1));
  await endOf('1-1');
  runner.kill('SIGKILL');
  await runner.exited;
  return server;
};

describe('a runner that starts', () => {
  it('[R3] cleans up: incomplete jobs, unused workspaces, staging folders, old orphaned logs, and ended runs without a server', async () => {
    const server = await leaveEndedRun();
    const old = new Date(Date.now() - 61 * DAY_MS);
    utimesSync(join(harness.data, 'runs', '1-1', 'exit'), old, old);
    for (const folder of [
      'runs/2-1',
      'runs/5-1',
      'runs/3-1.gone',
      'places/9-9',
      'mirrors/7-a.new',
      'galaxy/k.0a',
      'mirrors/7-b',
    ])
      mkdirSync(join(harness.data, folder), { recursive: true });
    writeFileSync(join(harness.data, 'runs/2-1/job.json.new'), '{');
    // A closed job without a start belongs to an incomplete job, which was not accepted. So no end is reported.
    cpSync(join(harness.data, 'runs/1-1/closed-job.json'), join(harness.data, 'runs/5-1/closed-job.json'));
    writeFileSync(join(harness.data, 'mirrors/7-b/shallow.lock'), '');
    mkdirSync(join(harness.data, 'late'));
    writeFileSync(join(harness.data, 'late/4-1.log'), 'late');
    utimesSync(join(harness.data, 'late/4-1.log'), old, old);
    server.reactions.resume = false;
    const runner = await harness.startRunner();
    await server.until(() => entries('runs').length === 0, 'an empty folder');
    await server.until(() => entries('mirrors/7-b').length === 0, 'a mirror without locks');
    expect([entries('places'), entries('galaxy'), entries('late')]).toEqual([[], [], []]);
    expect(entries('mirrors')).toEqual(['7-b']);
    await expect.poll(runner.stderr).toContain('Removed the run of task 1: no server has asked for it in 60 days.');
    await expect.poll(runner.stderr).toContain('Removed the orphaned log 4-1.log, which was kept for a day.');
    for (const name of ['7-a.new', 'k.0a'])
      expect(runner.stderr()).toContain(`Removed ${name}, which an earlier start of the runner had left unfinished.`);
    for (const path of ['runs/3-1.gone', 'places/9-9'])
      expect(runner.stderr()).toContain(`Removed ${join(harness.data, path)}, which belongs to no run.`);
  });

  it('[S5] removes the passphrase of a process that was killed while it opened a key', async () => {
    const server = await leaveEndedRun();
    const open = join(harness.data, 'runs', '1-1', 'open');
    mkdirSync(open);
    writeFileSync(join(open, 'passphrase'), 'a passphrase');
    server.reactions.resume = false;
    await harness.startRunner();
    await server.until(() => !existsSync(open), 'the removal of the passphrase');
    expect(entries('runs/1-1')).toContain('output.log');
  });
});
