import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LINK_PROTOCOL } from '@signalbox/contract/link';
import { afterEach, describe, expect, it } from 'vitest';
import { withoutColours } from '../output/plain-text.ts';
import { parseIdentity, waitUntilEnded } from '../process/process-table.ts';
import { openHarness, play } from '../testing/playbooks.testing.ts';
import { localHost, type RunnerHarness } from '../testing/runner-harness.testing.ts';

let harness: RunnerHarness;
afterEach(() => harness.close());

/** Paths of the files that a process has open. */
const openFiles = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((file) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${file}`)];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });

/** Lets a process open this many more files. Unused descriptors below its highest one count too. */
const limitFiles = (pid: number, more: number): void => {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let [files, free] = [0, 0];
  while (free < more) free += open.has(files++) ? 0 : 1;
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${files}:`]);
};

describe('a run', () => {
  it('ends with its complete log and results', async () => {
    harness = await openHarness();
    const { server } = harness;
    await harness.startRunner();
    expect(await server.message('hello')).toMatchObject({ protocol: LINK_PROTOCOL, slots: 10, runs: [] });
    expect(server.tokens).toEqual(['Bearer test-token']);
    const run = server.sendJob(harness.job(1));
    const ended = await server.until(() => run.ended, 'the end');
    expect(ended).toMatchObject({ result: 'success', reason: 'finished', lines: run.lines.length });
    expect(run.lines[0]).toBe(`Repository: ${harness.repository}`);
    for (const phase of [
      /^Copied in [\d.]+ s\.$/,
      /^Inventory prepared in [\d.]+ s\.$/,
      /^Playbook run for [\d.]+ s\.$/,
    ])
      expect(run.lines.filter((line) => phase.test(line))).toHaveLength(1);
    expect(run.lines.filter((line) => line.includes('hello'))).toHaveLength(2);
    expect(run.started).toBe(1);
    const rows = run.records.map((record) => [record.kind, withoutColours(run.lines[record.line - 1] ?? '')]);
    expect(rows).toEqual([
      ['play', expect.stringMatching(/^PLAY \[Test\]/)],
      ['step', expect.stringMatching(/^TASK \[Greet\]/)],
      ['host', expect.stringMatching(/^ok: \[/)],
      ['host', expect.stringMatching(/^ok: \[/)],
      ['stats', expect.stringMatching(/^PLAY RECAP/)],
    ]);
    expect(run.times.every((time, index) => time >= (run.times[index - 1] ?? 0))).toBe(true);
    expect(server.protocolErrors).toEqual([]);
    await harness.emptied();
  });

  it('executes nothing before the start message, answers a repeated job the same way, and is replaced by a higher epoch', async () => {
    harness = await openHarness();
    const { server } = harness;
    server.reactions.start = false;
    await harness.startRunner();
    await server.message('hello');
    server.sendJob(harness.job(1));
    await server.message('accepted');
    server.sendJob(harness.job(1));
    await server.until(() => server.messages.filter((m) => m.type === 'accepted').length === 2, 'a second accepted');
    expect(readdirSync(join(harness.data, 'runs', '1-1'))).toEqual(['closed-job.json', 'job.json']);
    const run = server.sendJob(harness.job(1, { epoch: 2 }));
    await server.message('accepted', (m) => m.epoch === 2);
    expect(harness.runFolders).toEqual(['1-2']);
    server.send({ type: 'start', task_id: 1, epoch: 1 });
    server.send({ type: 'start', task_id: 1, epoch: 2 });
    await server.until(() => run.ended, 'the end');
    expect(server.messages.filter((m) => m.type === 'started')).toEqual([{ type: 'started', task_id: 1, epoch: 2 }]);
    await harness.emptied();
  });

  it('names the reason of a failure in its last line', async () => {
    harness = await openHarness({ 'site.yml': play('- ansible.builtin.fail:', '    msg: no luck') });
    const { server } = harness;
    const runner = await harness.startRunner();
    await server.message('hello');
    const [failed, missing, outside, unreachable] = [
      server.sendJob(harness.job(1)),
      server.sendJob(harness.job(2, { playbook: 'other.yml' })),
      server.sendJob(harness.job(3, { repository: { id: 3, url: '/etc', branch: '', access: { type: 'none' } } })),
      server.sendJob(
        harness.job(4, {
          repository: {
            id: 4,
            url: 'https://127.0.0.1:1/x.git',
            branch: 'main',
            access: { type: 'login_password', login: 'me', password: 'secret-password' },
          },
        }),
      ),
    ];
    harness.write({ 'wrong.yml': '- hosts: all\n  tasks: [{nonsense: {}}]\n' });
    const wrong = server.sendJob(harness.job(5, { playbook: 'wrong.yml' }));
    for (const run of [failed, missing, outside, unreachable, wrong]) await server.until(() => run.ended, 'the end');
    expect(failed.ended).toMatchObject({ result: 'error', reason: 'exit_code' });
    expect(failed.lines.at(-1)).toBe('ansible-playbook ended with exit code 2 (one or more hosts failed).');
    expect(failed.records.filter((record) => record.kind === 'host')).toMatchObject([
      { result: 'failed', message: 'no luck' },
      { result: 'failed', message: 'no luck' },
    ]);
    expect(wrong.lines.at(-1)).toContain('or the playbook is not valid');
    expect(missing.ended).toMatchObject({ result: 'error', reason: 'preparation' });
    expect(missing.lines.at(-1)).toBe('The playbook other.yml is not in the repository.');
    expect(outside.ended).toMatchObject({ result: 'error', reason: 'repository' });
    expect(unreachable.ended).toMatchObject({ result: 'error', reason: 'repository' });
    expect(unreachable.lines.at(-1)).toMatch(/^The repository cannot be reached: .*127\.0\.0\.1.*\.$/);
    expect(JSON.stringify(server.messages)).not.toContain('secret-password');
    // A run leaves no file open: a leak of one file per failure would finally prevent all starts.
    await expect.poll(() => openFiles(runner.pid).filter((path) => path.includes('/runs/'))).toEqual([]);
  });

  it('[R3] ends although the runner can open hardly any file', async () => {
    harness = await openHarness({ 'site.yml': play('- ansible.builtin.debug:', '    msg: printed') });
    const { server } = harness;
    const runner = await harness.startRunner();
    await server.message('hello');
    const ended: Record<string, number> = {};
    for (const more of [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16]) {
      limitFiles(runner.pid, more);
      const run = server.sendJob(harness.job(100 + more));
      const isRefused = () => server.messages.some((m) => m.type === 'refused' && m.task_id === 100 + more);
      const end = await server.until(
        () => run.ended?.reason ?? (isRefused() && 'refused'),
        `the end with ${more} files`,
      );
      ended[end] = (ended[end] ?? 0) + 1;
    }
    // The numbers of files were low enough for refusals and high enough for complete runs.
    expect(Object.keys(ended)).toEqual(expect.arrayContaining(['finished', 'preparation', 'refused']));
    expect(Object.keys(ended)).not.toContain('lost');
    limitFiles(runner.pid, 1000);
    const run = server.sendJob(harness.job(99));
    await server.until(() => run.ended, 'the end with as many files as it needs');
    expect(run.ended).toMatchObject({ result: 'success' });
  });

  it('[R5] is stopped although the runner can open no file, and reports the end as soon as it can', async () => {
    harness = await openHarness({
      'site.yml': play('- ansible.builtin.debug: {msg: printed}', '- ansible.builtin.command: sleep 600'),
    });
    const { server } = harness;
    const runner = await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    await server.until(() => run.lines.some((line) => line.includes('printed')), 'its first output');
    const started = readFileSync(harness.inRun(1, 'started'), 'utf8').split('\n');
    limitFiles(runner.pid, 0);
    server.send({ type: 'stop', task_id: 1, epoch: 1, force: false });
    for (const line of started) {
      const supervisor = parseIdentity(line);
      if (supervisor) expect(await waitUntilEnded(supervisor, 15_000)).toBe(true);
    }
    expect(run.ended).toBeUndefined();
    limitFiles(runner.pid, 1000);
    const ended = await server.until(() => run.ended, 'the end');
    expect(ended).toMatchObject({ result: 'stopped', reason: 'stopped' });
    expect(run.lines.at(-1)).toBe('The task was stopped.');
    expect(server.protocolErrors).toEqual([]);
  });

  it('masks its secrets everywhere and leaves none on the disk', async () => {
    harness = await openHarness({
      'site.yml': play(
        '- name: Show vault-secret-1',
        '  ansible.builtin.fail:',
        '    msg: "{{ ansible_password }} and {{ ansible_password | b64encode }}"',
        '  ignore_errors: true',
        '- ansible.builtin.command: printf %s {{ ansible_password }}',
        '- ansible.builtin.debug: {var: answer}',
        '- name: Colour a part of a secret',
        "  ansible.builtin.shell: printf '%s\\n' $API_TOKEN | grep --color=always of-the; false",
        '  ignore_errors: true',
        "- ansible.builtin.debug: {msg: \"{{ api_key | length }} {{ api_key }} {{ lookup('env', 'API_TOKEN') }}\"}",
      ),
    });
    const { server } = harness;
    server.reactions.acknowledgeEnd = false;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(
      harness.job(1, {
        vault_password: 'vault-secret-1',
        secret_variables: { api_key: 'secret {{ of the environment' },
        secret_environment: { API_TOKEN: 'secret-of-the-process' },
        answers: { answer: '{{ lookup("pipe", "id") }}' },
        inventory: {
          type: 'static',
          inventory: localHost('one'),
          access: { type: 'login_password', login: 'root', password: 'pass {{ name }} 2' },
          become: null,
        },
        debug: true,
      }),
    );
    await server.until(() => run.ended, 'the end');
    expect(run.ended?.result).toBe('success');
    const all = JSON.stringify(server.messages);
    for (const secret of [
      'vault-secret-1',
      'pass {{ name }} 2',
      Buffer.from('pass {{ name }} 2').toString('base64'),
      'secret {{ of the environment',
      'secret-of-the-process',
    ]) {
      expect(all).not.toContain(secret);
    }
    const withoutColours = JSON.stringify([run.lines, run.records]).replaceAll(/\\+u001b\[[0-9;]*[mK]/g, '');
    expect(withoutColours).toContain('Colour a part of a secret');
    expect(withoutColours).not.toContain('secret-of-the-process');
    expect(run.records.find((record) => record.kind === 'host')).toMatchObject({
      result: 'ignored',
      message: expect.stringContaining('****'),
    });
    expect(run.lines.join('\n')).toContain('{{ lookup(');
    // The value reached the playbook unchanged, although the log masks it.
    expect(run.lines.join('\n')).toContain('28 **** ****');
    const folder = join(harness.data, 'runs', '1-1');
    expect(existsSync(join(folder, 'job.json'))).toBe(false);
    expect(existsSync(join(harness.data, 'places', '1-1', 'secrets'))).toBe(false);
    // The raw output of the playbook is readable only by the runner, and is deleted when the server has stored it.
    expect(statSync(join(folder, 'output.log')).mode & 0o777).toBe(0o600);
    for (const name of readdirSync(folder).filter((one) => one !== 'output.log')) {
      expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(
        /vault-secret-1|pass \{\{ name|secret \{\{ of|secret-of-the/,
      );
    }
    server.send({ type: 'acknowledged', task_id: 1, epoch: 1 });
    await harness.emptied();
  });
});
