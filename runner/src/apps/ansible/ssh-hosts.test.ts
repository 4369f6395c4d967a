import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Access } from '@signalbox/contract/link';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { drawSample } from '../../../../testing/sample.ts';
import { withoutColours } from '../../output/plain-text.ts';
import { runProgram } from '../../process/program.ts';
import { openHarness, play, release } from '../../testing/playbooks.testing.ts';
import { type RunnerHarness, TEST_PATH } from '../../testing/runner-harness.testing.ts';
import {
  inventoryLine,
  type KeyPair,
  makeKey,
  type SshHost,
  startSshHost,
  startSshHosts,
} from '../../testing/sshd.testing.ts';
import type { AnsibleJob } from './ansible-job.ts';

const ME = userInfo().username;
let keys: { ed25519: KeyPair; rsa: KeyPair; locked: KeyPair; lockedRsa: KeyPair };
let hosts: SshHost[];
let harness: RunnerHarness;

beforeAll(async () => {
  keys = {
    ed25519: await makeKey('ed25519'),
    rsa: await makeKey('rsa'),
    locked: await makeKey('ed25519', 'opens ed25519'),
    lockedRsa: await makeKey('rsa', 'opens rsa'),
  };
  hosts = await startSshHosts(Object.values(keys).map((key) => key.public_key));
});
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
});
afterEach(async () => {
  await harness.close();
});

const ssh = ({ private_key, passphrase }: KeyPair, login = ME): Access => ({
  type: 'ssh',
  login,
  private_key,
  passphrase,
});
const inventory = (access: Access, text = hosts.map((host) => inventoryLine(host)).join('')): Partial<AnsibleJob> => ({
  inventory: { type: 'static', inventory: text, access, become: null },
});
const begin = async (files: Record<string, string>, settings: Record<string, string> = {}) => {
  harness = await openHarness(files);
  const runner = await harness.startRunner(settings);
  await harness.server.message('hello');
  return runner;
};
const end = async (job: AnsibleJob) => {
  const run = harness.server.sendJob(job);
  await harness.server.until(() => run.ended, 'the end', 60_000);
  return { ...run, text: run.lines.map(withoutColours).join('\n') };
};
const sockets = () =>
  readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .filter((row) => row.includes(harness.data));
const isAgent = (command: string) => /^\S*ssh-agent\0/.test(command) && command.includes(harness.data);
/** Pids of the agents of all runs. */
const agents = () =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && isAgent(readFileSync(`/proc/${name}/cmdline`, 'utf8'));
    } catch {
      return false;
    }
  });
const processes = async () => {
  const list = await runProgram('ps', ['-eo', 'args', '-ww'], { env: { PATH: TEST_PATH }, timeoutMs: 10_000 });
  return list.stdout.split('\n').filter((row) => row.includes(harness.data));
};
/** `raw` needs no Python on the host, which saves much time. */
const PING = play('- ansible.builtin.raw: echo reached {{ inventory_hostname }}');
const FIND_KEYS = `
- name: Find keys
  hosts: localhost
  connection: local
  gather_facts: false
  vars: {ansible_remote_tmp: "{{ lookup('env', 'ANSIBLE_LOCAL_TEMP') }}"}
  tasks:
    - ansible.builtin.shell: ssh-add -l; grep -rl 'PRIVATE KEY' "$(dirname "$SSH_AUTH_SOCK")/.." || echo in no file
      register: found
    - ansible.builtin.debug: {var: found.stdout_lines}
`;

describe('[S5] an ssh key of an inventory', () => {
  it('opens three hosts for every key type, in an agent that ends with the run', async () => {
    await begin({ 'site.yml': PING + FIND_KEYS });
    for (const [index, key] of drawSample('kinds of ssh keys: hosts', Object.values(keys), 2).entries()) {
      const run = await end(harness.job(index + 1, inventory(ssh(key))));
      expect(run.ended?.result, run.text).toBe('success');
      for (const host of hosts) expect(run.text).toContain(`changed: [${host.name}]`);
      expect(run.text).toMatch(/"\d+ SHA256:\S+ \S+ \((RSA|ED25519)\)",\n\s*"in no file"/);
      expect(run.text).not.toContain('private-key');
      expect(sockets()).toEqual([]);
      expect((await processes()).filter((row) => /ssh/.test(row))).toEqual([]);
    }
    // The project has one file of host keys, which contains each host once.
    const known = readFileSync(join(harness.data, 'known-hosts', 'project-1'), 'utf8')
      .trim()
      .split('\n');
    expect(known).toHaveLength(3);
  });

  it('outlives the runner that opened it, and ends with the run under the next runner', async () => {
    const wait = [
      '- name: Wait',
      '  ansible.builtin.shell: touch waits; while [ -e hold ]; do sleep 0.05; done',
      '  delegate_to: localhost',
      '  connection: local',
      '  run_once: true',
    ];
    const runner = await begin({});
    const inFolder = wait.join('\n').replace('touch waits', `touch ${harness.folder}/waits`);
    writeFileSync(join(harness.folder, 'hold'), '');
    const later = '- ansible.builtin.raw: echo reached {{ inventory_hostname }}';
    harness.write({
      'ansible.cfg': '[ssh_connection]\nssh_args = -o ControlMaster=no\n',
      'site.yml': play(...inFolder.replace('-e hold', `-e ${harness.folder}/hold`).split('\n'), later),
    });
    const run = harness.server.sendJob(harness.job(1, inventory(ssh(keys.locked))));
    await harness.server.until(() => existsSync(join(harness.folder, 'waits')), 'the wait');
    runner.kill('SIGKILL');
    await runner.exited;
    expect(sockets()).not.toEqual([]);
    const again = await harness.startRunner();
    await harness.server.until(() => harness.server.tokens.length > 1, 'the next runner');
    await release(harness);
    await harness.server.until(() => run.ended, 'the end', 60_000);
    expect(run.ended?.result, run.lines.join('\n')).toBe('success');
    expect(run.lines.filter((line) => line.includes('changed: [host'))).toHaveLength(4);
    expect(sockets()).toEqual([]);
    again.kill('SIGTERM');
  });

  it('is removed by the next runner if the runner is killed while it fetches', async () => {
    const slow = await startSshHost({
      name: 'slow',
      address: '127.0.0.5',
      authorized: [keys.ed25519.public_key],
      config: ['ForceCommand sleep 600'],
    });
    try {
      const runner = await begin({ 'site.yml': PING });
      const url = `ssh://${ME}@${slow.address}:${slow.port}/slow.git`;
      const run = harness.server.sendJob(
        harness.job(1, { repository: { id: 9, url, branch: 'main', access: ssh(keys.ed25519) } }),
      );
      await harness.server.until(() => slow.log().includes('Starting session'), 'a fetch');
      const before = agents();
      expect(before).toHaveLength(1);
      runner.kill('SIGKILL');
      await runner.exited;
      await harness.startRunner();
      const isNew = () => agents().length === 1 && agents()[0] !== before[0];
      await harness.server.until(isNew, 'the new agent');
      harness.server.send({ type: 'stop', task_id: 1, epoch: 1, force: true });
      await harness.server.until(() => run.ended, 'the end');
      expect(run.ended?.reason).toBe('stopped');
      expect(agents()).toEqual([]);
    } finally {
      await slow.stop();
    }
  });

  it('opens a jump host for every key type, and the host key of the jump host is kept', async () => {
    const [first, second] = hosts as [SshHost, SshHost];
    await begin({ 'site.yml': PING });
    const jump = `ansible_ssh_common_args='-o ProxyJump=${ME}@${first.address}:${first.port}'`;
    for (const [index, key] of drawSample('kinds of ssh keys: jumps', Object.values(keys), 2).entries()) {
      const before = first.log().length;
      const run = await end(harness.job(index + 1, inventory(ssh(key), inventoryLine(second, jump))));
      expect(run.ended?.result, run.text).toBe('success');
      expect(first.log().slice(before)).toContain(`Accepted publickey for ${ME}`);
    }
    const known = readFileSync(join(harness.data, 'known-hosts', 'project-1'), 'utf8');
    expect(known).toContain(`[${first.address}]:${first.port}`);
    expect(known).toContain(`[${second.address}]:${second.port}`);
  });

  it('is not used if the inventory names no key, and the keys of another agent are not used either', async () => {
    await begin({
      'site.yml': play('- ansible.builtin.debug:', "    msg: \"agent={{ lookup('env', 'SSH_AUTH_SOCK') }}.\""),
    });
    const env = { SSH_AUTH_SOCK: '/tmp/of-another-user', HELLO: 'x' };
    const run = await end(harness.job(1, { process_environment: env }));
    expect(run.text).toContain('"agent=."');
    expect(run.text).toContain('The environment variable SSH_AUTH_SOCK is not passed on');
  });

  it('keeps SSH arguments and the SSH configuration of the repository', async () => {
    const [first] = hosts as [SshHost];
    await begin({
      'ansible.cfg': '[ssh_connection]\nssh_args = -F ssh.cfg -o ControlMaster=auto -o ControlPersist=60s\n',
      'ssh.cfg': `Host alias\n  HostName ${first.address}\n  Port ${first.port}\n`,
      'site.yml': PING,
    });
    const run = await end(
      harness.job(1, inventory(ssh(keys.ed25519), 'alias ansible_python_interpreter=/usr/bin/python3\n')),
    );
    expect(run.ended?.result, run.text).toBe('success');
    expect(existsSync(join(harness.data, 'known-hosts', 'project-1'))).toBe(true);
    expect(sockets()).toEqual([]);
  });

  it('keeps a proxy command of the repository with the configuration that it names', async () => {
    const [first, second] = hosts as [SshHost, SshHost];
    const known = '  UserKnownHostsFile /dev/null\n  StrictHostKeyChecking no\n';
    await begin({
      'ansible.cfg': '[ssh_connection]\nssh_args = -o ProxyCommand="ssh -F ./ssh.cfg -W %h:%p -q bastion"\n',
      'ssh.cfg': `Host bastion\n  HostName ${first.address}\n  Port ${first.port}\n${known}`,
      'site.yml': PING,
    });
    const before = first.log().length;
    const run = await end(harness.job(1, inventory(ssh(keys.ed25519), inventoryLine(second))));
    expect(run.ended?.result, run.text).toBe('success');
    expect(first.log().slice(before)).toContain(`Accepted publickey for ${ME}`);
  });
});

describe('[S5] host keys', () => {
  const keysOf = (project: number) => join(harness.data, 'known-hosts', `project-${project}`);

  it('are kept per project, and a changed host key is refused with one message', async () => {
    const [first] = hosts as [SshHost];
    await begin({ 'site.yml': PING });
    const jobOf = (id: number, project_id: number) =>
      harness.job(id, { ...inventory(ssh(keys.ed25519), inventoryLine(first)), project_id });
    expect((await end(jobOf(1, 1))).ended?.result).toBe('success');
    await first.renewHostKey();
    const changed = await end(jobOf(2, 1));
    expect(changed.ended).toMatchObject({ result: 'error', reason: 'exit_code' });
    expect(changed.lines.at(-1)).toBe(
      'ansible-playbook ended with exit code 4 (hosts were unreachable, or the playbook is not valid).',
    );
    expect(changed.lines.at(-2)).toBe(
      `The host key of [${first.address}]:${first.port} is not the stored key, so the connection was refused: another machine may be answering. If the key was changed on purpose, run \`ssh-keygen -R '[${first.address}]:${first.port}' -f '${keysOf(1)}'\` on the runner, and try again.`,
    );
    expect(changed.ended?.lines).toBe(changed.lines.length);
    expect(changed.records).toContainEqual(
      expect.objectContaining({
        result: 'unreachable',
        cause: 'host_key_changed',
        message: expect.stringMatching(
          /^The host key of \[127\.0\.0\.\d\]:\d+ has changed, so the connection was refused/,
        ),
      }),
    );
    // Another project has no key of this host.
    expect((await end(jobOf(3, 2))).ended?.result).toBe('success');
    const [command = ''] = /ssh-keygen -R .*'(?=`)/.exec(changed.lines.at(-2) ?? '') ?? [];
    const done = await runProgram('sh', ['-c', command], { env: { PATH: TEST_PATH }, timeoutMs: 10_000 });
    expect(done.code).toBe(0);
    expect((await end(jobOf(4, 1))).ended?.result).toBe('success');
  });

  it('are read from the same file for git repositories, with the same messages', async () => {
    const [first] = hosts as [SshHost];
    await begin({ 'site.yml': PING });
    const origin = join(harness.folder, 'origin');
    for (const args of [
      ['init', '-q', '-b', 'main', origin],
      ['-C', origin, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'One'],
    ]) {
      const done = await runProgram('git', args, { env: { PATH: TEST_PATH, HOME: '/nonexistent' }, timeoutMs: 10_000 });
      expect(done.stderr).toBe('');
    }
    const url = `ssh://${first.address}:${first.port}${origin}`;
    const jobOf = (id: number, access = ssh(keys.lockedRsa)) =>
      harness.job(id, { repository: { id: 5, url, branch: 'main', access } });
    expect((await end(jobOf(1))).lines.at(-1)).toBe('The playbook site.yml is not in the repository.');
    expect(readFileSync(keysOf(1), 'utf8')).toContain(`[${first.address}]:${first.port}`);
    await first.renewHostKey();
    const changed = await end(jobOf(2));
    expect(changed.ended?.reason).toBe('repository');
    expect(changed.lines.at(-1)).toMatch(
      /^The host key of \[127\.0\.0\.2\]:\d+ is not the stored key, so the connection was refused/,
    );
    harness.server.send({
      type: 'query',
      query_id: 1,
      lease_ms: 30_000,
      query: { ask: 'branches', repository: { ...jobOf(3).repository, project_id: 2 } },
    });
    expect(await harness.server.message('answer')).toMatchObject({ answer: { ask: 'branches', branches: ['main'] } });
    expect(existsSync(keysOf(2))).toBe(true);
    const other = await end(
      harness.job(4, { project_id: 2, repository: { ...jobOf(4).repository, access: ssh(await makeKey('ed25519')) } }),
    );
    expect(other.lines.at(-1)).toMatch(
      /^The repository cannot be reached: \S+ does not accept the key \(it takes publickey/,
    );
    expect(sockets()).toEqual([]);
  });

  it('must be known before a run under a strict policy, which a repository cannot change', async () => {
    const [first] = hosts as [SshHost];
    await begin(
      { 'site.yml': PING, 'ansible.cfg': '[defaults]\nhost_key_checking = False\n' },
      { SIGNALBOX_HOST_KEYS: 'strict' },
    );
    const more = "ansible_ssh_common_args='-o StrictHostKeyChecking=no'";
    const jobOf = (id: number) => harness.job(id, inventory(ssh(keys.ed25519), inventoryLine(first, more)));
    const unknown = await end(jobOf(1));
    expect(unknown.ended?.result).toBe('error');
    expect(unknown.lines.at(-2)).toMatch(
      /^The host key of \[127\.0\.0\.2\]:\d+ is not known, and SIGNALBOX_HOST_KEYS is strict: .*known-hosts\/project-1/,
    );
    const url = `ssh://${first.address}:${first.port}/x`;
    const git = await end(harness.job(2, { repository: { id: 5, url, branch: 'main', access: ssh(keys.rsa) } }));
    expect(git.lines.at(-1)).toMatch(/^The host key of \[127\.0\.0\.2\]:\d+ is not known, and/);
    writeFileSync(join(harness.data, 'known-hosts', 'all-projects'), first.knownHostsLine());
    expect((await end(jobOf(3))).ended?.result).toBe('success');
    expect(readdirSync(join(harness.data, 'known-hosts'))).toEqual(['all-projects']);
  });
});

describe('[S5] a run as another user', () => {
  it('has its key in an agent of that user, and adds the host keys that it accepted', async () => {
    const [first] = hosts as [SshHost];
    harness = await openHarness({ 'site.yml': PING + FIND_KEYS });
    chmodSync(harness.folder, 0o711);
    const runner = await harness.startRunner({ SIGNALBOX_RUN_AS: 'nobody' });
    if (process.getuid?.() !== 0) {
      expect(await runner.exited).toBe(2);
      return;
    }
    await harness.server.message('hello');
    const known = join(harness.data, 'known-hosts', 'project-1');
    const jobOf = (id: number) => harness.job(id, inventory(ssh(keys.lockedRsa), inventoryLine(first)));
    const run = await end(jobOf(1));
    expect(run.ended?.result, run.text).toBe('success');
    expect(run.text).toContain('in no file');
    expect(readFileSync(known, 'utf8')).toBe(first.knownHostsLine());
    expect(sockets()).toEqual([]);
    await first.renewHostKey();
    const changed = await end(jobOf(2));
    expect(changed.lines.at(-2)).toContain(`-f '${known}'`);
    expect(readFileSync(known, 'utf8').trim().split('\n')).toHaveLength(1);
    expect(sockets()).toEqual([]);
  });
});
