import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FACT_NAMES } from '@signalbox/contract';
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
    .slice(1)
    .map((row) => PluginEvent.parse(JSON.parse(row)))
    .filter((event) => event.kind === 'host');
};

const SETUP = '    - ansible.builtin.setup: {gather_subset: [hardware, network]}\n';
const copy = (content: string, more = '') =>
  `    - ansible.builtin.copy: {dest: "${join(folder, 'app.conf')}", content: "${content}"}\n${more}`;

/** Runs a module that gathers these facts, and another step. */
const gather = async (gathered: Record<string, unknown>) => {
  mkdirSync(join(folder, 'library'));
  const module = `import json\nprint(json.dumps({"ansible_facts": json.loads(${JSON.stringify(JSON.stringify(gathered))})}))\n`;
  writeFileSync(join(folder, 'library', 'setup.py'), `#!/usr/bin/python3\n# WANT_JSON\n${module}`);
  return await run('    - setup:\n    - command: "true"\n', { SIGNALBOX_FACTS: '1' });
};

const WINDOWS = {
  ...{ ansible_os_family: 'Windows', ansible_distribution: 'Microsoft Windows Server 2022 Standard' },
  ...{ ansible_distribution_version: '10.0.20348.0', ansible_distribution_major_version: '10' },
  ...{ ansible_os_installation_type: 'Server Core', ansible_kernel: '10.0.20348.0', ansible_architecture: '64-bit' },
  ...{ ansible_powershell_version: 5, ansible_windows_domain: 'shop.example', ansible_domain: '' },
  ...{ ansible_product_name: 'VMware7,1', ansible_processor_count: 4, ansible_memtotal_mb: 8192 },
  ...{ ansible_ip_addresses: ['10.0.0.7', 'fe80::1'], ansible_fqdn: 'win-1.shop.example' },
  ansible_date_time: { tz: 'W. Europe Standard Time' },
  ansible_interfaces: [{ connection_name: 'Ethernet0', ipv4: { address: '10.0.0.7' }, ipv6: { address: 'fe80::1' } }],
};

const LINUX = {
  ...{ ansible_distribution: 'Debian', ansible_distribution_major_version: '11', ansible_swaptotal_mb: 0 },
  ...{ ansible_python_version: '3.9.2', ansible_service_mgr: 'systemd', ansible_pkg_mgr: 'apt' },
  ansible_virtualization_type: 'kvm',
  ansible_interfaces: ['lo', 'veth1a2b', 'eth0'],
  ...{
    ansible_lo: { ipv4: { address: '127.0.0.1' }, type: 'loopback' },
    ansible_veth1a2b: { ipv4: { address: '10.1.0.1' } },
  },
  ansible_eth0: { ipv4: { address: '10.0.0.5' } },
  ansible_mounts: [
    { mount: '/', fstype: 'ext4', options: 'rw,relatime', size_total: 9, size_available: 5 },
    { mount: '/tmp', fstype: 'tmpfs', options: 'rw', size_total: 9 },
    { mount: '/snap/core/1', fstype: 'squashfs', options: 'ro', size_total: 9 },
    { mount: '/etc/hosts', fstype: 'ext4', options: 'rw,relatime,bind', size_total: 9 },
    { mount: '/var/lib/docker/overlay2/a/merged', fstype: 'overlay', options: 'rw', size_total: 9 },
    { mount: '/var/lib/containers/storage', fstype: 'ext4', options: 'rw', size_total: 9 },
  ],
};

describe('what the callback plugin notes about a host', () => {
  it('contains its groups once, and the chosen facts of a step that gathers them', async () => {
    const [first, second] = await run(SETUP + SETUP, { SIGNALBOX_FACTS: '1' });
    expect(first?.groups).toEqual(['frankfurt', 'web']);
    expect(second?.groups).toBeUndefined();
    expect(first?.facts).toMatchObject({ kernel: expect.any(String), memory: expect.any(Number) });
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
    const [first, second] = await gather(gathered);
    expect(first?.facts).toEqual({
      ...{ kernel: '6.1', mounts: { '/': { size: 5000 } }, interfaces: { eth0: '10.0.0.5' } },
    });
    expect(second?.result).toBe('changed');
  });

  it('contains the facts of a Linux host without file systems and interfaces of containers', async () => {
    const [{ facts } = {}] = await gather(LINUX);
    expect(facts).toMatchObject({ distribution: 'Debian 11', swap: 0, virtualization: 'kvm' });
    expect([facts?.mounts, facts?.interfaces]).toEqual([{ '/': { size: 9, free: 5 } }, { eth0: '10.0.0.5' }]);
  });

  it('contains the facts of a Windows host', async () => {
    const [{ facts } = {}] = await gather(WINDOWS);
    expect(facts).toMatchObject({
      ...{ distribution: 'Microsoft Windows Server 2022 Standard', edition: 'Server Core', powershell_version: '5' },
      ...{ domain: 'shop.example', address: '10.0.0.7', processors: 4, interfaces: { Ethernet0: '10.0.0.7, fe80::1' } },
    });
  });

  it('can contain every fact of the contract, and no other', async () => {
    const [{ facts } = {}] = await gather({ ...WINDOWS, ...LINUX });
    expect(Object.keys(facts ?? {}).sort()).toEqual([...FACT_NAMES, 'interfaces', 'mounts'].sort());
    const written = readFileSync(join(folder, 'events.jsonl'), 'utf8')
      .split('\n')
      .find((row) => row.includes('"facts"'));
    expect(JSON.parse(written ?? '{}')).toMatchObject({ facts: JSON.parse(JSON.stringify(facts)) });
    expect(Object.keys(JSON.parse(written ?? '{}').facts)).toHaveLength(FACT_NAMES.length + 2);
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
      ...{ groups: ['of topsecret'], facts: { kernel: 'topsecret 6', memory: 5 } },
      ...{ target: '/etc/topsecret', diff: '-old\n+password = topsecret' },
    };
    const path = join(folder, 'events.jsonl');
    writeFileSync(path, `${JSON.stringify(event)}\n`);
    const reader = new EventReader(path, new Masker(['topsecret']));
    const [record] = await reader.read(true);
    await reader.close();
    expect(record).toMatchObject({
      groups: ['of ****'],
      facts: { kernel: '**** 6', memory: 5 },
      target: '/etc/****',
      diff: '-old\n+password = ****',
    });
  });
});
