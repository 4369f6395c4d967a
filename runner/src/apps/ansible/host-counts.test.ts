import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostStats } from '@signalbox/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { PluginEvent } from '../../output/event-reader.ts';
import { runProgram } from '../../process/program.ts';
import { localHost } from '../../testing/runner-harness.testing.ts';
import { CALLBACK_FOLDER } from './process-environment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-counts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Counts = Record<string, HostStats>;
type HostEvent = Extract<PluginEvent, { kind: 'host' }>;
const NONE: HostStats = { ok: 0, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };

/** Counts the results of a run with the rules of Ansible. */
const counted = (events: readonly PluginEvent[]): Counts => {
  const counts: Counts = {};
  for (const event of events) {
    if (event.kind !== 'host') continue;
    const of = counts[event.host] ?? { ...NONE };
    counts[event.host] = of;
    const rescued = event.result === 'failed' && event.rescued === true;
    if (['ok', 'changed', 'ignored'].includes(event.result)) of.ok += 1;
    if (event.result === 'changed' || event.changed === true) of.changed += 1;
    if (event.result === 'failed' && !rescued) of.failures += 1;
    if (event.result === 'ignored') of.ignored += 1;
    if (event.result === 'skipped') of.skipped += 1;
    if (event.result === 'unreachable') of.unreachable += 1;
    if (rescued) of.rescued += 1;
  }
  return counts;
};

/** The recap that Ansible itself prints. */
const recapOf = (output: string): Counts => {
  const counts: Counts = {};
  for (const [, host = '', rest = ''] of output.matchAll(/^(\S+)\s+: (ok=\d+.*)$/gm)) {
    const number = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(rest)?.[1]);
    counts[host] = {
      ok: number('ok'),
      changed: number('changed'),
      failures: number('failed'),
      ignored: number('ignored'),
      skipped: number('skipped'),
      rescued: number('rescued'),
      unreachable: number('unreachable'),
    };
  }
  return counts;
};

const run = async (files: Record<string, string>, args: string[] = []) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const local = ['one', 'two', 'three'].map(localHost).join('');
  writeFileSync(join(folder, 'hosts'), `${local}gone ansible_host=127.0.0.1 ansible_port=1\n`);
  const { stdout } = await runProgram(
    'ansible-playbook',
    ['-i', join(folder, 'hosts'), join(folder, 'site.yml'), ...args],
    {
      cwd: folder,
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: folder,
        ANSIBLE_CALLBACK_PLUGINS: CALLBACK_FOLDER,
        ANSIBLE_CALLBACKS_ENABLED: 'signalbox',
        ANSIBLE_NOCOLOR: '1',
        SIGNALBOX_EVENTS: join(folder, 'events.jsonl'),
      },
      timeoutMs: 60_000,
    },
  );
  const events = readFileSync(join(folder, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    // The first row contains versions.
    .slice(1)
    .map((row) => PluginEvent.parse(JSON.parse(row)));
  return { events, stdout: stdout.replaceAll(/\x1b_signalbox;\d+\x1b\\/g, '') };
};

const tasks = (text: string, head = '') =>
  `- name: Test\n  hosts: one,two,three\n  gather_facts: false\n${head}  tasks:\n${text.replace(/^(?=.)/gm, '    ')}`;

const CASES: readonly (readonly [string, Record<string, string>, string[]?])[] = [
  [
    'loops, with items that change, fail and are skipped',
    {
      'site.yml': tasks(`- name: Loop
  ansible.builtin.command: "{{ item }}"
  loop: ["true", "false", "true"]
  when: not (inventory_hostname == 'two' and item == 'false')
- ansible.builtin.debug: {msg: "{{ item }}"}
  loop: []
- ansible.builtin.debug: {msg: x}
  loop: [1, 2]
  when: false
`),
    },
  ],
  [
    'blocks with rescue and always, nested, and a rescue that fails',
    {
      'site.yml': tasks(`- block:
    - ansible.builtin.fail: {msg: rescued}
    - ansible.builtin.debug: {msg: never}
  rescue:
    - ansible.builtin.debug: {msg: repaired}
  always:
    - ansible.builtin.debug: {msg: always}
- block:
    - block:
        - ansible.builtin.command: "false"
      always:
        - ansible.builtin.debug: {msg: inner}
  rescue:
    - ansible.builtin.command: "true"
- block:
    - block:
        - ansible.builtin.fail: {msg: first}
      rescue:
        - ansible.builtin.fail: {msg: second}
          when: inventory_hostname == 'two'
  rescue:
    - ansible.builtin.debug: {msg: outer}
- block:
    - ansible.builtin.fail: {msg: x}
  rescue:
    - ansible.builtin.fail: {msg: the rescue itself}
      when: inventory_hostname == 'three'
  always:
    - ansible.builtin.fail: {msg: in always}
      when: inventory_hostname == 'one'
- ansible.builtin.debug: {msg: last}
`),
    },
  ],
  [
    'errors that are ignored, hosts that are not reached',
    {
      'site.yml': `- hosts: one,gone
  gather_facts: false
  tasks:
    - ansible.builtin.command: "false"
      ignore_errors: true
    - ansible.builtin.fail: {msg: x}
      ignore_errors: true
- hosts: one,gone
  gather_facts: false
  tasks:
    - ansible.builtin.ping:
      ignore_unreachable: true
    - ansible.builtin.ping:
    - ansible.builtin.ping:
- hosts: one,two
  gather_facts: false
  tasks:
    - ansible.builtin.ping:
`,
    },
  ],
  [
    'handlers, tasks that run once, and delegated ones',
    {
      'site.yml': `${tasks(`- ansible.builtin.command: "true"
  notify: [React, Fail]
- ansible.builtin.command: "true"
  run_once: true
- name: Elsewhere
  ansible.builtin.command: "true"
  delegate_to: two
- name: Lost
  ansible.builtin.ping:
  delegate_to: gone
  when: inventory_hostname == 'three'
  ignore_unreachable: true
- ansible.builtin.meta: flush_handlers
- ansible.builtin.command: "true"
  notify: React
`)}  handlers:
    - name: React
      ansible.builtin.debug: {msg: reacted}
    - name: Fail
      ansible.builtin.fail: {msg: x}
      when: inventory_hostname == 'two'
`,
    },
  ],
  [
    'a task that runs once and fails',
    { 'site.yml': tasks(`- ansible.builtin.fail: {msg: x}\n  run_once: true\n- ansible.builtin.ping:\n`) },
  ],
  [
    'includes, imports and roles',
    {
      'site.yml': `${tasks(`- ansible.builtin.include_tasks: more.yml
- ansible.builtin.include_tasks: more.yml
  loop: [1, 2]
- ansible.builtin.import_tasks: more.yml
- ansible.builtin.include_tasks: more.yml
  when: inventory_hostname == 'one'
- ansible.builtin.include_role: {name: part}
- ansible.builtin.include_tasks: missing.yml
  ignore_errors: true
- block:
    - ansible.builtin.include_tasks: broken.yml
  rescue:
    - ansible.builtin.debug: {msg: rescued outside}
`)}  roles: [part]
`,
      'more.yml': '- ansible.builtin.debug: {msg: more}\n',
      'broken.yml': '- ansible.builtin.fail: {msg: broken}\n',
      'roles/part/tasks/main.yml': '- ansible.builtin.command: "true"\n  notify: Role\n',
      'roles/part/handlers/main.yml': '- name: Role\n  ansible.builtin.debug: {msg: role}\n',
    },
  ],
  [
    'the free strategy with includes, and several plays',
    {
      'site.yml': `${tasks(
        `- ansible.builtin.command: "true"
- ansible.builtin.include_tasks: more.yml
- ansible.builtin.fail: {msg: x}
  when: inventory_hostname == 'two'
- ansible.builtin.ping:
`,
        '  strategy: free\n',
      )}- hosts: all:!gone
  gather_facts: true
  tasks:
    - ansible.builtin.ping:
`,
      'more.yml': '- ansible.builtin.debug: {msg: more}\n',
    },
  ],
  [
    'batches',
    {
      'site.yml': tasks(
        `- ansible.builtin.command: "true"
- ansible.builtin.fail: {msg: x}
  when: inventory_hostname == 'two'
`,
        '  serial: 1\n',
      ),
    },
  ],
  [
    'tasks in the background',
    {
      'site.yml': tasks(`- ansible.builtin.command: sleep 0.2
  async: 10
  poll: 1
- ansible.builtin.command: "true"
  async: 10
  poll: 0
  register: job
- ansible.builtin.async_status: {jid: "{{ job.ansible_job_id }}"}
  register: end
  until: end.finished
  retries: 20
  delay: 0.2
`),
    },
  ],
  [
    'a dry run',
    {
      'site.yml': tasks(`- ansible.builtin.command: "true"
- ansible.builtin.copy: {content: x, dest: "${tmpdir()}/signalbox-never-written"}
`),
    },
    ['--check'],
  ],
];

describe('the counts of hosts', () => {
  const cases = CASES.map(([what, files, args = []]) => ({ what, files, args }));
  it.each(drawSample('playbooks whose hosts are counted: all', cases, 5))(
    'equal those of the recap: $what',
    async ({ files, args }) => {
      const { events, stdout } = await run(files, args);
      const recap = recapOf(stdout);
      expect(Object.keys(recap).length).toBeGreaterThan(0);
      expect(events.at(-1)).toMatchObject({ kind: 'stats', hosts: recap });
      const own = counted(events);
      // The recap of Ansible also lists hosts without results.
      for (const [host, stats] of Object.entries(recap))
        expect({ [host]: own[host] ?? NONE }).toEqual({ [host]: stats });
    },
  );

  it('name failed items and the host of a delegated task, and hide no_log results', async () => {
    const { events } = await run({
      'site.yml': tasks(`- name: Loop
  ansible.builtin.fail: {msg: "no {{ item.name }}"}
  loop: [{name: a}, {name: b}, {name: c}]
  loop_control: {label: "{{ item.name }}"}
  when: item.name != 'b'
  ignore_errors: true
- name: Elsewhere
  ansible.builtin.ping:
  delegate_to: two
- name: Hidden
  ansible.builtin.fail: {msg: "very secret {{ item }}"}
  loop: [hidden-1, hidden-2]
  no_log: true
`),
    });
    const of = (step: number, host: string) =>
      events.find((event): event is HostEvent => event.kind === 'host' && event.step === step && event.host === host);
    expect(of(1, 'one')).toMatchObject({
      result: 'ignored',
      items: { ok: 0, changed: 0, failed: 2, skipped: 1, names: ['a', 'c'] },
      message: 'One or more items failed\na: no a\nc: no c',
    });
    expect(of(2, 'one')).toMatchObject({ delegated_to: 'two' });
    expect(of(2, 'two')).not.toHaveProperty('delegated_to');
    expect(of(3, 'one')).toMatchObject({ result: 'failed', message: expect.stringContaining('hidden due to') });
    const text = readFileSync(join(folder, 'events.jsonl'), 'utf8');
    expect(text).not.toContain('very secret');
    expect(text).not.toContain('hidden-1');
  });
});
