import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventReader, PluginEvent } from '../../output/event-reader.ts';
import { Masker } from '../../output/masker.ts';
import { runProgram } from '../../process/program.ts';
import { localHost } from '../../testing/runner-harness.testing.ts';
import { CALLBACK_FOLDER } from './process-environment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-notes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

let output = '';

const run = async (tasks: string, env: Record<string, string> = {}, options: readonly string[] = ['--diff']) => {
  rmSync(join(folder, 'events.jsonl'), { force: true });
  writeFileSync(join(folder, 'site.yml'), `- hosts: web\n  gather_facts: false\n  tasks:\n${tasks}`);
  writeFileSync(join(folder, 'hosts'), `[web]\n${localHost('one')}[frankfurt:children]\nweb\n`);
  const done = await runProgram(
    'ansible-playbook',
    [...options, '-i', join(folder, 'hosts'), join(folder, 'site.yml')],
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
  output = done.stdout + done.stderr;
  return readFileSync(join(folder, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((row) => PluginEvent.parse(JSON.parse(row)))
    .filter((event) => event.kind === 'host');
};

const SETUP = '    - ansible.builtin.setup: {gather_subset: [hardware, network]}\n';
const copy = (content: string, more = '') =>
  `    - ansible.builtin.copy: {dest: "${join(folder, 'app.conf')}", content: "${content}"}\n${more}`;

describe('what the callback plugin notes about a host', () => {
  it('contains its groups once, and the chosen facts of a step that gathers them', async () => {
    const [first, second] = await run(SETUP + SETUP, { SIGNALBOX_FACTS: '1' });
    expect(first?.groups).toEqual(['frankfurt', 'web']);
    expect(second?.groups).toBeUndefined();
    expect(first?.facts).toMatchObject({ kernel: expect.any(String), 'memory MB': expect.any(Number) });
    expect(Object.keys(first?.facts ?? {}).some((name) => /local|date|uptime|env/.test(name))).toBe(false);
  });

  it('contains no facts if the project does not collect them, or the step is hidden', async () => {
    const hidden = `${SETUP}      no_log: true\n`;
    const [off] = await run(SETUP);
    expect([off?.result, off?.facts]).toEqual(['ok', undefined]);
    const [secret] = await run(hidden, { SIGNALBOX_FACTS: '1' });
    expect([secret?.result, secret?.facts]).toEqual(['ok', undefined]);
  });

  it('leaves out facts of unexpected types, and keeps the others and the records that follow', async () => {
    const gathered = {
      ...{ ansible_kernel: '6.1', ansible_memtotal_mb: true, ansible_default_ipv4: 'none', ansible_date_time: [] },
      ansible_interfaces: [{ name: 'Ethernet' }, 'eth0', 'eth1'],
      ansible_eth0: { ipv4: [{ address: 5 }, { address: '10.0.0.5' }], ipv6: 'none' },
      ansible_eth1: 'down',
      ansible_mounts: [
        ...[{ mount: '/net', size_total: null }, { mount: '/nfs', size_total: 'N/A' }, { size_total: 5 }, 'tmpfs'],
        { mount: '/', size_total: 5000, size_available: 'N/A' },
      ],
    };
    mkdirSync(join(folder, 'library'));
    const module = `import json\nprint(json.dumps({"ansible_facts": json.loads(${JSON.stringify(JSON.stringify(gathered))})}))\n`;
    writeFileSync(join(folder, 'library', 'setup.py'), `#!/usr/bin/python3\n# WANT_JSON\n${module}`);
    const [first, second] = await run('    - setup:\n    - command: "true"\n', { SIGNALBOX_FACTS: '1' });
    expect(first?.facts).toEqual({ kernel: '6.1', 'mount / size': 5000, 'interface eth0': '10.0.0.5' });
    expect(second?.result).toBe('changed');
  });

  it('contains no facts of a step that another host ran', async () => {
    const [delegated] = await run(`${SETUP}      delegate_to: two\n      vars: {ansible_connection: local}\n`, {
      SIGNALBOX_FACTS: '1',
    });
    expect([delegated?.result, delegated?.delegated_to, delegated?.facts]).toEqual(['ok', 'two', undefined]);
  });

  it('contains differences only of steps whose differences the log shows', async () => {
    const steps = copy('a', '      diff: true\n') + copy('b', '      diff: false\n') + copy('c');
    const shown = async (...options: string[]) => (await run(steps, {}, options)).map(({ diff }) => diff !== undefined);
    expect(await shown()).toEqual([true, false, false]);
    expect(await shown('--diff')).toEqual([true, false, true]);
  });

  it('prints no warning in the log', async () => {
    expect(await run('    - ping:\n')).toHaveLength(1);
    expect(output).toContain('PLAY RECAP');
    expect(output).not.toContain('Skipping plugin');
  });

  it('contains what a step changed with its difference, without colours, and nothing of a hidden step', async () => {
    writeFileSync(join(folder, 'app.conf'), 'size = 8\nport = 1\n');
    const [changed, hidden] = await run(copy('size = 10\\nport = 1\\n') + copy('password\\n', '      no_log: true\n'), {
      ANSIBLE_FORCE_COLOR: '1',
    });
    expect(changed).toMatchObject({ result: 'changed', target: join(folder, 'app.conf') });
    expect(changed?.diff).toContain('-size = 8\n+size = 10\n port = 1');
    expect(changed?.diff).not.toContain('\u001b');
    expect([hidden?.result, hidden?.target, hidden?.diff]).toEqual(['changed', undefined, undefined]);
  });

  it('contains a difference only up to its limit', async () => {
    const [changed] = await run(copy('line {{ item }}\\n'.repeat(3000).replaceAll('{{ item }}', 'of a long file')));
    expect(changed?.diff).toHaveLength(16 * 1024 + 1);
  });
});

describe('the notes of a record', () => {
  it('are masked', async () => {
    const event = {
      ...{ kind: 'host', at: 1, mark: 1, step: 1, host: 'one', result: 'changed', message: '' },
      ...{ groups: ['of topsecret'], facts: { kernel: 'topsecret 6', 'memory MB': 5 } },
      ...{ target: '/etc/topsecret', diff: '-old\n+password = topsecret' },
    };
    const path = join(folder, 'events.jsonl');
    writeFileSync(path, `${JSON.stringify(event)}\n`);
    const reader = new EventReader(path, new Masker(['topsecret']));
    const [record] = await reader.read(true);
    await reader.close();
    expect(record).toMatchObject({
      groups: ['of ****'],
      facts: { kernel: '**** 6', 'memory MB': 5 },
      target: '/etc/****',
      diff: '-old\n+password = ****',
    });
  });
});
