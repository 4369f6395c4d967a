import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { identityOf, markedProcesses } from './process/process-table.ts';
import { RunnerHouse } from './testing/runner-house.testing.ts';

const play = (...tasks: string[]) => `
- name: Test
  hosts: all
  gather_facts: false
  tasks:
${tasks.join('\n').replace(/^/gm, '    ')}
`;
const HELLO = play('- name: Greet', '  ansible.builtin.debug:', '    msg: "hello {{ inventory_hostname }}"');

/** A playbook that counts its starts, prints numbers while it runs, and can be held by a file `hold`. */
const counting = (folder: string) => play(
  '- name: Count the start',
  `  ansible.builtin.shell: echo start >> ${folder}/starts`,
  '  run_once: true',
  '- name: Step',
  '  ansible.builtin.debug:',
  '    msg: "number {{ item }}"',
  '  loop: "{{ range(100) | list }}"',
  '- name: Wait',
  `  ansible.builtin.shell: while [ -e ${folder}/hold ]; do sleep 0.05; done`,
  '  run_once: true',
  '- name: Last',
  '  ansible.builtin.debug:',
  '    msg: "the last one"',
);

let house: RunnerHouse;
const open = async (files: Record<string, string> = { 'site.yml': HELLO }) => {
  house = new RunnerHouse(files);
  await house.server.listen();
  return house;
};
const openCounting = async () => {
  await open({});
  house.write({ 'site.yml': counting(house.folder) });
  writeFileSync(join(house.folder, 'hold'), '');
  return house;
};
const release = async () => {
  await rm(join(house.folder, 'hold'), { force: true });
};
const numbersOf = (lines: readonly string[]) =>
  lines.flatMap((line) => /number (\d+)/.exec(line)?.[1] ?? []).map(Number);
const runFolders = () => (existsSync(join(house.data, 'runs')) ? readdirSync(join(house.data, 'runs')) : []);
const emptied = () => house.server.until(() => runFolders().length === 0, 'an empty folder');

afterEach(() => house.close());

describe('a run', () => {
  it('comes to its end with its whole log and results', async () => {
    const { server } = await open();
    await house.startRunner();
    expect(await server.message('hello')).toMatchObject({ protocol: 1, slots: 10, runs: [] });
    expect(server.tokens).toEqual(['Bearer test-token']);
    const run = server.give(house.order(1));
    const ended = await server.until(() => run.ended, 'the end');
    expect(ended).toMatchObject({ result: 'success', reason: 'finished', lines: run.lines.length });
    expect(run.lines[0]).toBe(`Repository: ${house.repository}`);
    expect(run.lines.filter((line) => line.includes('hello'))).toHaveLength(2);
    expect(run.started).toBe(1);
    const rows = run.records.map((record) => [record.kind, run.lines[record.line - 1]?.replaceAll(/\x1b\[[\d;]*m/g, '')]);
    expect(rows).toEqual([
      ['play', expect.stringMatching(/^PLAY \[Test\]/)],
      ['step', expect.stringMatching(/^TASK \[Greet\]/)],
      ['host', expect.stringMatching(/^ok: \[/)],
      ['host', expect.stringMatching(/^ok: \[/)],
      ['stats', expect.stringMatching(/^PLAY RECAP/)],
    ]);
    expect(run.times.every((time, index) => time >= (run.times[index - 1] ?? 0))).toBe(true);
    expect(server.faults).toEqual([]);
    await emptied();
  });

  it('executes nothing before go, answers the same order alike, and lets a higher epoch take its place', async () => {
    const { server } = await open();
    server.habits.go = false;
    await house.startRunner();
    await server.message('hello');
    server.give(house.order(1));
    await server.message('accepted');
    server.give(house.order(1));
    await server.until(() => server.messages.filter((m) => m.type === 'accepted').length === 2, 'a second accepted');
    expect(readdirSync(join(house.data, 'runs', '1-1'))).toEqual(['order.json']);
    const run = server.give(house.order(1, { epoch: 2 }));
    await server.message('accepted', (m) => m.epoch === 2);
    expect(runFolders()).toEqual(['1-2']);
    server.send({ type: 'go', task_id: 1, epoch: 1 });
    server.send({ type: 'go', task_id: 1, epoch: 2 });
    await server.until(() => run.ended, 'the end');
    expect(server.messages.filter((m) => m.type === 'started')).toEqual([{ type: 'started', task_id: 1, epoch: 2 }]);
    await emptied();
  });

  it('says in its last line why it failed', async () => {
    const { server } = await open({ 'site.yml': play('- ansible.builtin.fail:', '    msg: no luck') });
    await house.startRunner();
    await server.message('hello');
    const [failed, missing, outside, unreachable] = [
      server.give(house.order(1)),
      server.give(house.order(2, { playbook: 'other.yml' })),
      server.give(house.order(3, { repository: { id: 3, url: '/etc', branch: '', access: { type: 'none' } } })),
      server.give(house.order(4, { repository: { id: 4, url: 'https://127.0.0.1:1/x.git', branch: 'main', access: { type: 'login_password', login: 'me', password: 'secret-word' } } })),
    ];
    for (const run of [failed, missing, outside, unreachable]) await server.until(() => run.ended, 'the end');
    expect(failed.ended).toMatchObject({ result: 'error', reason: 'exit_code' });
    expect(failed.lines.at(-1)).toBe('ansible-playbook ended with exit code 2 (one or more hosts failed).');
    expect(failed.records.filter((record) => record.kind === 'host')).toMatchObject([
      { result: 'failed', message: 'no luck' },
      { result: 'failed', message: 'no luck' },
    ]);
    expect(missing.ended).toMatchObject({ result: 'error', reason: 'preparation' });
    expect(missing.lines.at(-1)).toBe('The playbook other.yml is not in the repository.');
    expect(outside.ended).toMatchObject({ result: 'error', reason: 'repository' });
    expect(unreachable.ended).toMatchObject({ result: 'error', reason: 'repository' });
    expect(unreachable.lines.at(-1)).toMatch(/^The repository cannot be reached: .*127\.0\.0\.1.*\.$/);
    expect(JSON.stringify(server.messages)).not.toContain('secret-word');
  });

  it('masks its secrets everywhere and leaves none on the disk', async () => {
    const { server } = await open({
      'site.yml': play(
        '- name: Say vault-secret-1',
        '  ansible.builtin.fail:',
        '    msg: "{{ ansible_password }} and {{ ansible_password | b64encode }}"',
        '  ignore_errors: true',
        '- ansible.builtin.command: printf %s {{ ansible_password }}',
        '- ansible.builtin.debug: {var: answer}',
      ),
    });
    server.habits.settle = false;
    await house.startRunner();
    await server.message('hello');
    const run = server.give(
      house.order(1, {
        vault_password: 'vault-secret-1',
        answers: { answer: '{{ lookup("pipe", "id") }}' },
        inventory: {
          type: 'static',
          inventory: 'one ansible_connection=local\n',
          access: { type: 'login_password', login: 'root', password: 'pass {{ word }} 2' },
          become: null,
        },
        debug: true,
      }),
    );
    await server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('success');
    const all = JSON.stringify(server.messages);
    for (const secret of ['vault-secret-1', 'pass {{ word }} 2', Buffer.from('pass {{ word }} 2').toString('base64')]) {
      expect(all).not.toContain(secret);
    }
    expect(run.records.find((record) => record.kind === 'host')).toMatchObject({ result: 'ignored', message: expect.stringContaining('****') });
    expect(run.lines.join('\n')).toContain('{{ lookup(');
    const folder = join(house.data, 'runs', '1-1');
    await server.until(() => existsSync(join(folder, 'sealed')) && !existsSync(join(folder, 'events.jsonl')), 'the sealing');
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(/vault-secret-1|pass \{\{ word/);
    }
    server.send({ type: 'settled', task_id: 1, epoch: 1 });
    await emptied();
  });
});

describe('stop', () => {
  it('ends a playbook with all that it started', async () => {
    const { server } = await openCounting();
    await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.until(() => run.lines.some((line) => line.startsWith('TASK [Wait]')), 'the waiting step');
    server.send({ type: 'stop', task_id: 1, epoch: 1, force: false });
    const ended = await server.until(() => run.ended, 'the end', 10_000);
    expect(ended).toMatchObject({ result: 'stopped', reason: 'stopped' });
    expect(run.lines.at(-1)).toBe('The task was stopped.');
  });

  it('by force ends it within two seconds', async () => {
    const { server } = await openCounting();
    await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.until(() => run.lines.some((line) => line.startsWith('TASK [Wait]')), 'the waiting step');
    server.send({ type: 'stop', task_id: 1, epoch: 1, force: true });
    expect(await server.until(() => run.ended, 'the end', 2_000)).toMatchObject({ result: 'stopped' });
  });

  it('ends a preparation at once', async () => {
    const { server } = await open();
    await house.startRunner();
    await server.message('hello');
    // A server that takes the connection and never answers.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const run = server.give(house.order(1, { repository: { id: 1, url: `https://127.0.0.1:${port}/x.git`, branch: 'main', access: { type: 'none' } } }));
    await server.until(() => run.lines.length > 0, 'the first line');
    server.send({ type: 'stop', task_id: 1, epoch: 1, force: false });
    expect(await server.until(() => run.ended, 'the end', 3_000)).toMatchObject({ result: 'stopped' });
    expect(run.started).toBe(0);
    silent.close();
  });

  it('ends an accepted run without starting it', async () => {
    const { server } = await open();
    server.habits.go = false;
    await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.message('accepted');
    server.send({ type: 'stop', task_id: 1, epoch: 1, force: false });
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'stopped', lines: 1 });
    await emptied();
  });

  it('drop kills at once and forgets', async () => {
    const { server } = await openCounting();
    await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.until(() => run.lines.some((line) => line.startsWith('TASK [Wait]')), 'the waiting step');
    server.send({ type: 'drop', task_id: 1, epoch: 1 });
    await emptied();
    expect(run.ended).toBeUndefined();
  });
});

describe('surviving', () => {
  it('kill -9 of the runner: the playbook runs once and its log is whole', async () => {
    const { server } = await openCounting();
    const first = await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.until(() => numbersOf(run.lines).length >= 20, 'some lines');
    first.kill('SIGKILL');
    await first.exited;
    await release();
    await house.startRunner();
    const ended = await server.until(() => run.ended, 'the end');
    expect(ended).toMatchObject({ result: 'success', lines: run.lines.length });
    const expected = Array.from({ length: 100 }, (_, n) => n);
    expect(numbersOf(run.lines)).toHaveLength(200);
    expect(new Set(numbersOf(run.lines))).toEqual(new Set(expected));
    expect(run.lines.slice(-4).some((line) => line.startsWith('PLAY RECAP'))).toBe(true);
    expect(readFileSync(join(house.folder, 'starts'), 'utf8')).toBe('start\n');
    expect(run.records.map((record) => record.line)).toEqual(run.records.map((record) => record.line).toSorted((a, b) => a - b));
    expect(run.records.filter((record) => record.kind === 'stats')).toHaveLength(1);
    expect(server.faults).toEqual([]);
  });

  it('kill -9 at many moments: always once, always whole', async () => {
    const { server } = await open({});
    house.write({ 'site.yml': counting(house.folder) });
    let whole: string | undefined;
    const plain = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('The runner was started anew')).map((line) => line.replaceAll(/\x1b\[[\d;]*m/g, ''));
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const runner = await house.startRunner();
      await server.message('hello', (m) => m.pid === runner.pid);
      const run = server.give(house.order(attempt, { inventory: { type: 'static', inventory: 'one ansible_connection=local', access: { type: 'none' }, become: null } }));
      await server.message('accepted', (m) => m.task_id === attempt);
      // Not an event but a moment: each attempt kills somewhere else in the run.
      await delay(attempt * 180);
      runner.kill('SIGKILL');
      await runner.exited;
      const next = await house.startRunner();
      await server.until(() => run.ended, `the end of ${attempt}`);
      expect(run.ended).toMatchObject({ result: 'success', lines: run.lines.length });
      expect(numbersOf(run.lines)).toEqual(Array.from({ length: 100 }, (_, n) => n));
      const text = plain(run.lines).filter((line) => !/^(Repository|Commit|Inventory|Command): /.test(line)).join('\n');
      whole ??= text;
      expect(text).toBe(whole);
      next.kill('SIGKILL');
      await next.exited;
    }
    expect(readFileSync(join(house.folder, 'starts'), 'utf8')).toBe('start\n'.repeat(6));
    expect(server.faults).toEqual([]);
  });

  it('a lost link: nothing is lost and nothing comes twice', async () => {
    const { server } = await openCounting();
    await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.until(() => numbersOf(run.lines).length >= 10, 'some lines');
    server.cut();
    await server.until(() => server.messages.filter((m) => m.type === 'hello').length === 2, 'a second hello');
    await release();
    await server.until(() => run.ended, 'the end');
    expect(numbersOf(run.lines)).toHaveLength(200);
    expect(run.ended).toMatchObject({ result: 'success', lines: run.lines.length });
    expect(server.faults).toEqual([]);
  });

  it('a server that does not acknowledge gets all of it again when it comes back', async () => {
    const { server } = await open();
    server.habits.acknowledge = false;
    await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    const folder = join(house.data, 'runs', '1-1');
    await server.until(() => existsSync(join(folder, 'sealed')) && !existsSync(join(folder, 'events.jsonl')), 'the sealing');
    expect(run.ended).toBeUndefined();
    server.habits.acknowledge = true;
    server.cut();
    await server.until(() => run.ended, 'the end');
    expect(run.ended).toMatchObject({ result: 'success', lines: run.lines.length });
    expect(run.lines.filter((line) => line.includes('hello'))).toHaveLength(2);
    expect(run.records.map((record) => run.lines[record.line - 1]?.replaceAll(/\x1b\[[\d;]*m/g, '').slice(0, 4))).toEqual(['PLAY', 'TASK', 'ok: ', 'ok: ', 'PLAY']);
    expect(server.faults).toEqual([]);
  });

  it('a killed keeper: the run is lost, its family is ended, and its log says so', async () => {
    const { server } = await openCounting();
    await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.until(() => run.lines.some((line) => line.startsWith('TASK [Wait]')), 'the waiting step');
    const keeper = Number(readFileSync(join(house.data, 'runs', '1-1', 'started'), 'utf8').split(' ')[0]);
    expect(identityOf(keeper)).toBeDefined();
    process.kill(keeper, 'SIGKILL');
    expect(await server.until(() => run.ended, 'the end', 8_000)).toMatchObject({ result: 'error', reason: 'lost' });
    expect(run.lines.at(-1)).toMatch(/^The log was cut here/);
  });

  it('an ended run that nobody heard of is told at the next start', async () => {
    const { server } = await openCounting();
    const first = await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.until(() => run.lines.some((line) => line.startsWith('TASK [Wait]')), 'the waiting step');
    first.kill('SIGKILL');
    await first.exited;
    await release();
    await server.until(() => existsSync(join(house.data, 'runs', '1-1', 'exit')), 'the exit');
    await house.startRunner();
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'success' });
    expect(run.lines.join('\n')).toContain('the last one');
    await emptied();
  });
});

describe('the runner', () => {
  it('refuses a folder that another one has, in one sentence', async () => {
    const { server } = await open();
    const first = await house.startRunner();
    await server.message('hello');
    const second = await house.startRunner();
    expect(await second.exited).toBe(3);
    expect(second.stderr()).toBe(`Another runner (pid ${first.pid}) already works in ${house.data}; give this one a folder of its own.\n`);
    first.kill('SIGKILL');
    await first.exited;
    const third = await house.startRunner();
    await server.message('hello', (m) => m.pid === third.pid);
  });

  it('names all faults of its configuration at once', async () => {
    await open();
    const runner = await house.startRunner({ SIGNALBOX_SERVER: 'ftp://x', SIGNALBOX_RUNNER_SLOTS: '0', SIGNALBOX_RUNNER_LOCAL: 'yes' });
    expect(await runner.exited).toBe(2);
    expect(runner.stderr()).toMatch(/SIGNALBOX_SERVER must.*\n.*SIGNALBOX_RUNNER_SLOTS must.*\n.*SIGNALBOX_RUNNER_LOCAL must/);
  });

  it('passes over messages that it does not understand, without their values', async () => {
    const { server } = await open();
    const runner = await house.startRunner();
    await server.message('hello');
    server.sendRaw('no json');
    server.sendRaw(JSON.stringify({ type: 'order', order: { task_id: 'hidden-value' } }));
    server.send({ type: 'question', question_id: 5, question: { ask: 'branches', repository: { id: 1, url: house.repository, branch: '', access: { type: 'none' } } } });
    expect(await server.message('answer')).toEqual({ type: 'answer', question_id: 5, answer: { ask: 'branches', branches: [] } });
    expect(runner.stderr()).toContain('not understood');
    expect(runner.stderr()).not.toContain('hidden-value');
  });

  it('drains: the run ends, no new one begins, and it exits with 0', async () => {
    const { server } = await openCounting();
    const runner = await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.until(() => run.lines.some((line) => line.startsWith('TASK [Wait]')), 'the waiting step');
    runner.kill('SIGTERM');
    await server.until(() => runner.stderr().includes('takes no more orders'), 'the draining');
    server.give(house.order(2));
    await release();
    expect(await runner.exited).toBe(0);
    expect(run.ended).toMatchObject({ result: 'success' });
    expect(server.messages.some((m) => m.type === 'accepted' && m.task_id === 2)).toBe(false);
    expect(existsSync(join(house.data, 'lock'))).toBe(false);
  });

  it('stops its runs at a second signal', async () => {
    const { server } = await openCounting();
    const runner = await house.startRunner();
    await server.message('hello');
    const run = server.give(house.order(1));
    await server.until(() => run.lines.some((line) => line.startsWith('TASK [Wait]')), 'the waiting step');
    runner.kill('SIGTERM');
    await server.until(() => runner.stderr().includes('takes no more orders'), 'the draining');
    runner.kill('SIGTERM');
    expect(await runner.exited).toBe(0);
    expect(run.ended).toMatchObject({ result: 'stopped' });
  });

  it('says when the server speaks another version, and drains', async () => {
    const { server } = await open();
    server.protocol = 99;
    const runner = await house.startRunner();
    expect(await runner.exited).toBe(0);
    expect(runner.stderr()).toContain('version 99');
  });

  it('of a local server ends 5 s after it when nothing runs', async () => {
    const { server } = await open();
    const runner = await house.startRunner({ SIGNALBOX_RUNNER_LOCAL: '1' });
    await server.message('hello');
    await server.close();
    const before = performance.now();
    expect(await runner.exited).toBe(0);
    expect(performance.now() - before).toBeGreaterThan(4_500);
    expect(performance.now() - before).toBeLessThan(6_500);
  });

  it('leaves nothing behind of runs that were dropped or killed', async () => {
    await open();
    mkdirSync(join(house.data, 'runs', '7-1.gone'), { recursive: true });
    mkdirSync(join(house.data, 'runs', '8-1'), { recursive: true });
    await house.startRunner();
    await house.server.message('hello');
    expect(runFolders()).toEqual([]);
    expect(await markedProcesses('7-1')).toEqual([]);
  });
});
