import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PluginEvent } from '../../output/event-reader.ts';
import { runProgram } from '../../process/program.ts';
import { localHost } from '../../testing/runner-harness.testing.ts';
import { CALLBACK_FOLDER } from './process-environment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-callback-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const PLAYBOOK = `
- name: First
  hosts: all
  gather_facts: false
  tasks:
    - name: Loop
      ansible.builtin.debug: {msg: "{{ item }}"}
      loop: [1, 2]
    - name: Change
      ansible.builtin.command: "true"
      notify: React
    - name: Skip on one
      ansible.builtin.debug: {msg: x}
      when: inventory_hostname != 'one'
    - name: Fail and ignore
      ansible.builtin.command: "false"
      ignore_errors: true
    - name: Rescued block
      block:
        - name: Break
          ansible.builtin.fail: {msg: "broken on purpose"}
          when: inventory_hostname == 'two'
      rescue:
        - name: Repair
          ansible.builtin.debug: {msg: repaired}
    - name: Hidden
      ansible.builtin.fail: {msg: "very secret"}
      no_log: true
      ignore_errors: true
      when: inventory_hostname == 'three'
  handlers:
    - name: React
      ansible.builtin.debug: {msg: reacted}
- name: Second
  hosts: one,gone
  gather_facts: false
  tasks:
    - name: Last
      ansible.builtin.ping:
`;

const VIA_SSH = 'Failed to connect to the host via ssh: ';

const run = async (playbook: string, env: Record<string, string> = {}) => {
  writeFileSync(join(folder, 'site.yml'), playbook);
  const local = ['one', 'two', 'three'].map(localHost).join('');
  writeFileSync(join(folder, 'hosts'), `${local}gone ansible_host=127.0.0.1 ansible_port=1\n`);
  return runProgram(
    'ansible-playbook',
    ['-i', join(folder, 'hosts'), '--limit=one,two,three,gone', join(folder, 'site.yml')],
    {
      cwd: folder,
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: folder,
        ANSIBLE_CALLBACK_PLUGINS: CALLBACK_FOLDER,
        ANSIBLE_CALLBACKS_ENABLED: 'signalbox',
        SIGNALBOX_EVENTS: join(folder, 'events.jsonl'),
        ...env,
      },
      timeoutMs: 60_000,
    },
  );
};
const rows = () => readFileSync(join(folder, 'events.jsonl'), 'utf8').trim().split('\n');
/** The events; the first row contains versions. */
const events = () =>
  rows()
    .slice(1)
    .map((row) => PluginEvent.parse(JSON.parse(row)));

describe('the callback plugin', () => {
  it('records each play, step, host result and the statistics', async () => {
    const end = await run(PLAYBOOK.replace('hosts: all', 'hosts: one,two,three'));
    expect(end.code).toBe(4);
    expect(JSON.parse(rows()[0] ?? '')).toEqual({
      kind: 'versions',
      ansible: expect.stringMatching(/^2\.\d+\.\d+/),
      python: expect.stringMatching(/^3\.\d+\.\d+/),
    });
    const all = events();
    expect(all.map((event) => event.mark)).toEqual(all.map((_, index) => index + 1));
    const steps = all.filter((event) => event.kind === 'step');
    expect(steps.map((step) => [step.step, step.play, step.name, step.handler])).toEqual([
      [1, 1, 'Loop', false],
      [2, 1, 'Change', false],
      [3, 1, 'Skip on one', false],
      [4, 1, 'Fail and ignore', false],
      [5, 1, 'Break', false],
      [6, 1, 'Repair', false],
      [7, 1, 'Hidden', false],
      [8, 1, 'React', true],
      [9, 2, 'Last', false],
    ]);
    expect(steps[0]?.action).toBe('ansible.builtin.debug');
    expect(steps.map((step) => step.path).slice(0, 2)).toEqual(['site.yml:6', 'site.yml:9']);
    expect(all.filter((event) => event.kind === 'play').map((event) => [event.name, event.hosts])).toEqual([
      ['First', 3],
      ['Second', 2],
    ]);
    expect(all.filter((event) => event.kind === 'play').map((event) => event.names)).toEqual([
      ['one', 'two', 'three'],
      ['one', 'gone'],
    ]);
    const results = (step: number) =>
      Object.fromEntries(
        all.flatMap((event) => (event.kind === 'host' && event.step === step ? [[event.host, event.result]] : [])),
      );
    expect(results(1)).toEqual({ one: 'ok', two: 'ok', three: 'ok' });
    expect(results(2)).toEqual({ one: 'changed', two: 'changed', three: 'changed' });
    expect(results(3)).toEqual({ one: 'skipped', two: 'ok', three: 'ok' });
    expect(results(4)).toEqual({ one: 'ignored', two: 'ignored', three: 'ignored' });
    expect(results(5)).toEqual({ one: 'skipped', two: 'failed', three: 'skipped' });
    expect(results(6)).toEqual({ two: 'ok' });
    expect(results(7)).toEqual({ one: 'skipped', two: 'skipped', three: 'ignored' });
    expect(results(8)).toEqual({ one: 'ok', two: 'ok', three: 'ok' });
    expect(results(9)).toEqual({ one: 'ok', gone: 'unreachable' });
    const message = (step: number, host: string) =>
      all.find((event) => event.kind === 'host' && event.step === step && event.host === host);
    expect(message(5, 'two')).toMatchObject({ message: 'broken on purpose' });
    expect(message(7, 'three')).toMatchObject({ message: expect.stringContaining('hidden') });
    expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).not.toContain('very secret');
    expect(all.at(-1)).toMatchObject({
      kind: 'stats',
      hosts: { two: { rescued: 1, ignored: 1, changed: 2 }, gone: { unreachable: 1 } },
    });
    const markers = [...end.stdout.matchAll(/\x1b_signalbox;(\d+)\x1b\\/g)].map((match) => Number(match[1]));
    expect(markers).toEqual(Array.from({ length: all.length + 1 }, (_, index) => index));
  });

  it.each([
    ['command', 'sh -c "echo one >&2; echo two >&2; echo >&2; exit 4"', 'two (rc 4)'],
    ['ansible.builtin.shell', 'echo first; echo last; exit 3', 'last (rc 3)'],
    ['shell', 'echo out; echo err >&2; exit 3', 'err (rc 3)'],
    ['raw', 'echo out; echo err >&2; exit 3', 'out (rc 3)'],
    ['command', 'sh -c "exit 7"', 'non-zero return code'],
    ['command', '/absent', expect.stringContaining('No such file')],
    ['fail', { msg: 'on purpose' }, 'on purpose'],
  ])('begins the message of a failure with its reason: %s %j', async (action, given, message) => {
    await run(JSON.stringify([{ hosts: 'one', gather_facts: false, tasks: [{ name: 'Try', [action]: given }] }]));
    const [result] = events().filter((event) => event.kind === 'host');
    expect(result).toMatchObject({ result: 'failed', message });
  });

  const ROW = '@'.repeat(59);
  const CHANGED = [
    ROW,
    '@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @',
    ROW,
    'Offending ED25519 key in /data/known-hosts/project-1:1',
    'Host key for [127.0.0.1]:4222 has changed and you have requested strict checking.',
    'Host key verification failed.',
  ];
  const CHANGED_MESSAGE =
    'The host key of [127.0.0.1]:4222 has changed, so the connection was refused: another machine may be answering. If the key was changed on purpose, remove the old key with ssh-keygen -R on the runner, as the end of the log shows.';
  const WARNING = "Warning: Permanently added 'gone' (ED25519) to the list of known hosts.";
  const DENIED = 'root@gone: Permission denied (publickey).';
  const UNKNOWN = 'No ED25519 host key is known for gone and you have requested strict checking.';
  it.each([
    ['a changed host key', CHANGED, CHANGED_MESSAGE],
    ['an unknown host key', [UNKNOWN, 'Host key verification failed.'], `${VIA_SSH}${UNKNOWN}`],
    ['a refused key after a warning', [WARNING, DENIED], `${VIA_SSH}${DENIED}`],
    ['a refused key after a banner', ['Only for staff.', '', DENIED], `${VIA_SSH}${DENIED}\nOnly for staff.`],
    ['one line', [DENIED], `${VIA_SSH}${DENIED}`],
    ['no text', [], VIA_SSH.trim()],
  ])('begins the message of an unreachable host with its reason: %s', async (_, lines, message) => {
    const ssh = join(folder, 'ssh');
    writeFileSync(ssh, `#!/bin/sh\ncat >&2 <<'END'\n${lines.join('\r\n')}\nEND\nexit 255\n`, { mode: 0o755 });
    await run('- hosts: gone\n  gather_facts: false\n  tasks: [{ansible.builtin.ping: }]\n', {
      ANSIBLE_SSH_EXECUTABLE: ssh,
    });
    const [result] = events().filter((event) => event.kind === 'host');
    expect(result).toMatchObject({ result: 'unreachable', message });
  });

  it('records why each item of a loop of programs failed', async () => {
    const task = { 'ansible.builtin.shell': 'echo no {{ item }} >&2; exit 1', loop: ['a', 'b'] };
    await run(JSON.stringify([{ hosts: 'one', gather_facts: false, tasks: [task] }]));
    const [result] = events().filter((event) => event.kind === 'host');
    expect(result?.message).toBe('One or more items failed\na: no a (rc 1)\nb: no b (rc 1)');
  });

  it('shortens and then omits messages of long runs, so that results do not fill the disk', async () => {
    const tasks = Array.from(
      { length: 4 },
      () => '    - fail: {msg: "a long story"}\n      ignore_errors: true\n',
    ).join('');
    const playbook = `- hosts: one\n  gather_facts: false\n  tasks:\n${tasks}`;
    const end = await run(playbook, { SIGNALBOX_EVENTS_LIMIT: '440' });
    expect(end.code).toBe(0);
    const messages = events().flatMap((event) => (event.kind === 'host' ? [event.message] : []));
    const none = '(omitted: the results of this run are too large)';
    expect(messages).toEqual(['a long story', none, none]);
    expect(events().filter((event) => event.kind === 'step')).toHaveLength(4);
    expect(events().at(-1)).toMatchObject({ kind: 'stats', hosts: { one: { ignored: 4 } } });
  });

  it('changes the output only by its markers', async () => {
    const playbook = PLAYBOOK.replace('hosts: all', 'hosts: one,two').replace('one,gone', 'one');
    const calm = { ANSIBLE_FORKS: '1' };
    const watched = await run(playbook, calm);
    const bare = await run(playbook, { ...calm, ANSIBLE_CALLBACKS_ENABLED: '', SIGNALBOX_EVENTS: '' });
    const still = (text: string) =>
      text.replaceAll(/\x1b_signalbox;\d+\x1b\\/g, '').replaceAll(/"(start|end|delta)": "[^"]*"/g, '');
    expect(still(watched.stdout)).toBe(still(bare.stdout));
    expect(watched.code).toBe(bare.code);
  });

  it('writes nothing in a nested playbook, or when its file cannot be created', async () => {
    writeFileSync(join(folder, 'events.jsonl'), 'of another process\n');
    expect(
      (await run('- hosts: one\n  gather_facts: false\n  tasks: [{ansible.builtin.ping: }]\n')).stdout,
    ).not.toContain('signalbox;');
    expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).toBe('of another process\n');
    const end = await run('- hosts: one\n  gather_facts: false\n  tasks: [{ansible.builtin.ping: }]\n', {
      SIGNALBOX_EVENTS: '/nowhere/events',
    });
    expect(end.code).toBe(0);
  });

  it('records each host under the free strategy, which announces hosts one by one', async () => {
    await run(
      '- hosts: one,two,three\n  gather_facts: false\n  strategy: free\n  tasks:\n    - {name: A, ansible.builtin.ping: }\n    - {name: B, ansible.builtin.ping: }\n',
    );
    const steps = events().filter((event) => event.kind === 'step');
    expect(steps.map((step) => step.name)).toEqual(['A', 'B']);
    expect(events().filter((event) => event.kind === 'host')).toHaveLength(6);
  });
});
