import { mkdirSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Access } from '@signalbox/contract/link';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withoutColours } from '../../output/plain-text.ts';
import { runProgram } from '../../process/program.ts';
import { openHarness, play } from '../../testing/playbooks.testing.ts';
import { localHost, type RunnerHarness, TEST_PATH } from '../../testing/runner-harness.testing.ts';
import {
  inventoryLine,
  type KeyPair,
  makeKey,
  makeUser,
  type SshHost,
  startSshHost,
  type ThrowawayUser,
} from '../../testing/sshd.testing.ts';
import type { AnsibleJob } from './ansible-job.ts';

const users: ThrowawayUser[] = [];
let key: KeyPair;
let host: SshHost;
let harness: RunnerHarness;
const suffix = `${process.pid}`.slice(-6);

beforeAll(async () => {
  key = await makeKey('ed25519');
  host = await startSshHost({ name: 'host2', address: '127.0.0.2', authorized: [key.public_key] });
  users.push(await makeUser(`sbxa${suffix}`, "login {{ pass }} 'one'"));
  users.push(await makeUser(`sbxb${suffix}`, 'become "two" $HOME'));
});
afterAll(async () => {
  await host.stop();
  for (const user of users) await user.remove();
});
afterEach(async () => {
  await harness.close();
});

const login = (user: ThrowawayUser | undefined): Access => ({
  type: 'login_password',
  login: user?.name ?? '',
  password: user?.password ?? '',
});
/** The key of the user who runs the tests. */
const opened = (): Access => ({
  type: 'ssh',
  login: userInfo().username,
  private_key: key.private_key,
  passphrase: '',
});
/** Prints the user name on the host. The module `raw` is used because it needs no file that both users can read. */
const WHO = (...more: string[]) =>
  play(
    '- ansible.builtin.raw: id -un',
    '  register: who',
    ...more,
    '- ansible.builtin.debug: {msg: "I am {{ who.stdout | trim }}."}',
  );
const runOne = async (files: Record<string, string>, job: Partial<AnsibleJob>, settings = {}) => {
  harness = await openHarness(files);
  await harness.startRunner(settings);
  await harness.server.message('hello');
  const run = harness.server.sendJob(harness.job(1, job));
  await harness.server.until(() => run.ended, 'the end', 60_000);
  return { ...run, text: run.lines.map(withoutColours).join('\n') };
};
const at = (access: Access, become: Access | null = null, more = ''): AnsibleJob['inventory'] => ({
  type: 'static',
  inventory: inventoryLine(host, more),
  access,
  become,
});

describe('[S5] a login with a password', () => {
  it('reaches a host over SSH, and becomes another user with the password of that user', async () => {
    const [one, two] = users;
    const run = await runOne(
      { 'site.yml': WHO() + WHO('  become: true') },
      { inventory: at(login(one), login(two), 'ansible_become_method=su') },
    );
    expect(run.ended?.result, run.text).toBe('success');
    expect(run.text).toContain(`I am ${one?.name}.`);
    expect(run.text).toContain(`I am ${two?.name}.`);
    const sent = JSON.stringify(harness.server.messages);
    for (const user of users) expect(sent).not.toContain(user.password);
  });

  it('ends the run if the password is wrong, without the password in the messages', async () => {
    const [one] = users;
    const run = await runOne(
      { 'site.yml': WHO() },
      { inventory: at({ ...login(one), password: 'not-the-one' } as Access) },
    );
    expect(run.lines.at(-1)).toBe(
      'ansible-playbook ended with exit code 4 (hosts were unreachable, or the playbook is not valid).',
    );
    expect(run.text).toMatch(/Invalid\/incorrect password|Permission denied/);
    expect(JSON.stringify(harness.server.messages)).not.toContain('not-the-one');
  });

  it('logs a warning if sshpass is missing, and runs local hosts', async () => {
    harness = await openHarness();
    const bin = join(harness.folder, 'bin');
    mkdirSync(bin);
    for (const name of ['git', 'ansible-playbook', 'ansible', 'python3', 'sh']) {
      symlinkSync(`/usr/bin/${name}`, join(bin, name));
    }
    await harness.startRunner({ PATH: bin });
    await harness.server.message('hello');
    const run = harness.server.sendJob(
      harness.job(1, {
        inventory: {
          ...at(login(users[0])),
          inventory: localHost('one'),
        },
      }),
    );
    await harness.server.until(() => run.ended, 'the end', 60_000);
    expect(run.lines).toContain(
      'sshpass is not installed on the runner: hosts that are reached over ssh with this password will fail.',
    );
    expect(run.ended?.result, run.lines.join('\n')).toBe('success');
  });
});

describe('[S5] a key of another kind', () => {
  it('becomes another user after a login with an SSH key, and cannot be an SSH key itself', async () => {
    const [, two] = users;
    const ssh = opened();
    const run = await runOne(
      { 'site.yml': WHO('  become: true') },
      { inventory: at(ssh, login(two), 'ansible_become_method=su') },
    );
    expect(run.ended?.result, run.text).toBe('success');
    expect(run.text).toContain(`I am ${two?.name}.`);
    const refused = harness.server.sendJob(harness.job(2, { inventory: at(ssh, ssh) }));
    await harness.server.until(() => refused.ended, 'the end');
    expect(refused.lines.at(-1)).toBe('An ssh key cannot be used to become another user.');
  });

  it('opens a vault for a host over SSH, also as another user, and reports a wrong vault password', async () => {
    const [, two] = users;
    const vault = (password: string) => ({
      vault_password: password,
      inventory: at(opened(), login(two), 'ansible_become_method=su'),
    });
    harness = await openHarness();
    const plain = join(harness.folder, 'password');
    harness.write({ '../password': 'open sesame\n', 'group_vars/all.yml': 'hidden: "deep {{ 1 + 1 }}"\n' });
    const encrypted = await runProgram(
      'ansible-vault',
      ['encrypt', `--vault-password-file=${plain}`, 'group_vars/all.yml'],
      {
        cwd: harness.repository,
        env: { PATH: TEST_PATH, HOME: harness.folder },
        timeoutMs: 30_000,
      },
    );
    expect(encrypted.code, encrypted.stderr).toBe(0);
    const echo = [
      '- ansible.builtin.raw: echo found {{ hidden | quote }}, $(id -un)',
      '  become: true',
      '  register: found',
    ];
    harness.write({ 'site.yml': play(...echo, '- ansible.builtin.debug: {msg: "{{ found.stdout }}"}') });
    await harness.startRunner();
    await harness.server.message('hello');
    const [right, wrong] = [
      harness.server.sendJob(harness.job(1, vault('open sesame'))),
      harness.server.sendJob(harness.job(2, vault('something else'))),
    ];
    for (const run of [right, wrong]) await harness.server.until(() => run.ended, 'the end', 60_000);
    expect(right.lines.join('\n')).toContain(`found deep 2, ${two?.name}`);
    expect(wrong.ended?.result).toBe('error');
    expect(wrong.lines.join('\n')).toMatch(/Decryption failed/);
    expect(JSON.stringify(harness.server.messages)).not.toMatch(/open sesame|something else/);
  });
});
