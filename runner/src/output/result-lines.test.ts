import { afterEach, describe, expect, it } from 'vitest';
import { openHarness } from '../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';
import { withoutColours } from './plain-text.ts';
import { ResultFinder } from './result-lines.ts';

/** A callback plugin that, like profile_tasks, prints between the name of a task and its results. */
const TALKATIVE = `
from ansible.plugins.callback import CallbackBase
class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = 'aggregate'
    CALLBACK_NAME = 'talkative'
    CALLBACK_NEEDS_ENABLED = True
    def v2_playbook_on_task_start(self, task, is_conditional):
        self._display.display('Monday 23 November 2026  10:00:00 +0000 (0:00:00.1)  0:00:01.0 ****')
    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._display.display('seen: ' + result._host.get_name())
`;

const PLAYBOOK = (strategy: string) => `
- hosts: all
  gather_facts: false
  strategy: ${strategy}
  tasks:
    - name: First
      ansible.builtin.debug: {msg: hello}
    - name: Break
      ansible.builtin.fail: {msg: "broken on {{ inventory_hostname }}"}
      when: inventory_hostname == 'two'
    - name: Loop
      ansible.builtin.command: "{{ item }}"
      loop: ["true", "false"]
      when: inventory_hostname == 'one'
`;

let harness: RunnerHarness | undefined;
afterEach(() => harness?.close());

/** Runs the playbook of a repository to its end. */
const runWith = async (files: Record<string, string>) => {
  harness = await openHarness(files);
  const { server } = harness;
  await harness.startRunner();
  await server.message('hello');
  const run = server.sendJob(harness.job(1));
  await server.until(() => run.ended, 'the end');
  return { run, lines: run.lines.map(withoutColours) };
};

describe('the lines of a failure', () => {
  it.each(['linear', 'free'])('belong to one host with strategy %s and another callback', async (strategy) => {
    const { run, lines } = await runWith({
      'site.yml': PLAYBOOK(strategy),
      'ansible.cfg': '[defaults]\ncallbacks_enabled = talkative\ncallback_result_format = yaml\n',
      'callback_plugins/talkative.py': TALKATIVE,
    });
    const failures = run.records.flatMap((one) => (one.kind === 'host' && one.result === 'failed' ? [one] : []));
    const shown = Object.fromEntries(
      failures.map(({ host, line, last_line = 0 }) => [host, lines.slice(line - 1, last_line)]),
    );
    expect(lines.some((line) => line.startsWith('Monday'))).toBe(true);
    expect(shown.two?.[0]).toMatch(/^fatal: \[two\]: FAILED!/);
    expect(shown.two?.join('\n')).toContain('broken on two');
    expect(shown.one?.[0]).toMatch(/^failed: \[one\] \(item=false\)/);
    for (const own of Object.values(shown)) expect(own.join('\n')).not.toMatch(/Monday|seen:|TASK|PLAY/);
    const steps = run.records.flatMap((one) => (one.kind === 'step' ? [lines[one.line - 1]] : []));
    if (strategy === 'free') expect(steps).toEqual([undefined, undefined, undefined]);
    else
      expect(steps).toEqual([
        expect.stringMatching(/^TASK \[First/),
        expect.stringMatching(/Break/),
        expect.stringMatching(/Loop/),
      ]);
  });

  it('begin after the title of a play, which comes after warnings', async () => {
    const { run, lines } = await runWith({
      'site.yml': PLAYBOOK('linear').replace('hosts: all', 'hosts: nothing:all'),
    });
    const titles = run.records.flatMap((one) => (one.kind === 'play' ? [lines[one.line - 1]] : []));
    expect(titles).toEqual([expect.stringMatching(/^PLAY \[nothing:all\]/)]);
    const warning = lines.findIndex((line) => line.includes('Could not match supplied host pattern'));
    const title = lines.findIndex((line) => line.startsWith('PLAY ['));
    expect(warning).toBeGreaterThan(0);
    expect(warning).toBeLessThan(title);
  });

  it.each([
    ['no host is left', PLAYBOOK('linear\n  any_errors_fatal: true'), 'NO MORE HOSTS LEFT'],
    ['a play has no host', '- hosts: nothing\n', 'no hosts matched'],
  ])('begin after the title of the recap, also if %s', async (_, playbook, printed) => {
    const { run, lines } = await runWith({ 'site.yml': playbook });
    expect(lines.join('\n')).toContain(printed);
    const titles = run.records.flatMap((one) => (one.kind === 'stats' ? [lines[one.line - 1]] : []));
    expect(titles).toEqual([expect.stringMatching(/^PLAY RECAP/)]);
  });

  it('include the indented lines of a result over several rows', () => {
    const finder = new ResultFinder();
    const rows = [
      'TASK [a] ***',
      '\u001b[0;31mfatal: [web -> db]: FAILED! => {\u001b[0m',
      '    "msg": "no"',
      '',
      '}',
      'ok: [other]',
      '',
      'Monday',
    ];
    for (const [at, row] of rows.entries()) finder.take(at + 1, row);
    expect(finder.flush()).toEqual([
      { host: 'web', isFailure: true, first: 2, last: 5 },
      { host: 'other', isFailure: false, first: 6, last: 6 },
    ]);
    expect(finder.flush()).toEqual([]);
  });

  it('begin with the difference that Ansible prints before them', async () => {
    harness = await openHarness({
      'site.yml': `
- hosts: all
  gather_facts: false
  tasks:
    - name: Write
      ansible.builtin.copy: {content: "of {{ inventory_hostname }}\\n", dest: "{{ playbook_dir }}/{{ inventory_hostname }}"}
    - name: Write twice
      ansible.builtin.copy: {content: "{{ item }}\\n", dest: "{{ playbook_dir }}/{{ inventory_hostname }}-{{ item }}"}
      loop: [first, second]
`,
    });
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob({ ...harness.job(1), diff: true });
    await server.until(() => run.ended, 'the end');
    const lines = run.lines.map(withoutColours);
    const shown = run.records.flatMap((one) =>
      one.kind === 'host'
        ? [{ ...one, text: lines.slice(one.line - 1, one.last_line).filter((line) => line !== '') }]
        : [],
    );
    const [one, two, ...looped] = shown;
    for (const result of [one, two]) {
      expect(result?.text[0]).toMatch(/^--- before/);
      expect(result?.text).toContain(`+of ${result?.host}`);
      expect(result?.text.filter((line) => /^[a-z]+: /.test(line))).toEqual([`changed: [${result?.host}]`]);
    }
    for (const { host, text } of looped)
      for (const item of ['first', 'second']) {
        expect(text).toContain(`+${item}`);
        expect(text.some((line) => line === `changed: [${host}] => (item=${item})`)).toBe(true);
      }
  });
});
