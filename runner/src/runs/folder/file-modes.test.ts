import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_REPOSITORY_URL } from '@signalbox/contract/link';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../process/program.ts';
import { makeRepository } from '../../testing/git-repository.testing.ts';
import { openHarness, release } from '../../testing/playbooks.testing.ts';
import { type RunnerHarness, TEST_PATH } from '../../testing/runner-harness.testing.ts';

let harness: RunnerHarness;
const usual = process.umask();
beforeEach(() => process.umask(usual));
afterEach(async () => {
  process.umask(usual);
  await harness.close();
});

/** Files and folders that users other than the owner and the group can read, change or list. */
const openToOthers = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const mode = entry.isSymbolicLink() ? 0 : lstatSync(path).mode & 0o007;
    if (mode === 0) return [];
    return entry.isDirectory() && mode === 0o001 ? openToOthers(path) : [path];
  });

const ROLE = {
  'meta/main.yml':
    'galaxy_info: {author: t, description: t, license: MIT, min_ansible_version: "2.12"}\ndependencies: []\n',
  'tasks/main.yml': '- ansible.builtin.shell: stat -c "role %a" {{ role_path }}/tasks {{ role_path }}/tasks/main.yml\n',
};

const playbook = (folder: string) => `
- hosts: one
  gather_facts: false
  roles: [greeter]
  tasks:
    - ansible.builtin.shell: echo "umask $(umask)"; stat -c "%n %a" site.yml files files/script
    - ansible.builtin.shell: touch ${folder}/stay/waits; while [ -e ${folder}/hold ]; do sleep 0.05; done
`;

const pack = (folder: string, archive: string) =>
  runProgram('tar', ['-czf', archive, '-C', folder, '.'], { env: { PATH: TEST_PATH }, timeoutMs: 10_000 });

/** A repository with a script, and with a role that ansible-galaxy installs. */
const openWithScript = async () => {
  harness = await openHarness({});
  const origin = join(harness.folder, 'origin');
  const role = await makeRepository(join(harness.folder, 'role'), ROLE);
  mkdirSync(join(origin, 'files'), { recursive: true });
  writeFileSync(join(origin, 'files', 'script'), '#!/bin/sh\n');
  chmodSync(join(origin, 'files', 'script'), 0o755);
  await pack(role.path, join(origin, 'greeter.tar.gz'));
  await makeRepository(origin, {
    'site.yml': playbook(harness.folder),
    'requirements.yml': '- {src: ./greeter.tar.gz, name: greeter}\n',
  });
  mkdirSync(join(harness.folder, 'stay'));
  chmodSync(join(harness.folder, 'stay'), 0o777);
  writeFileSync(join(harness.folder, 'hold'), '');
  return { id: 1, url: origin, branch: 'main', access: { type: 'none' } } as const;
};

describe('a runner that is started with the umask 0077', () => {
  it.each([
    ['its own user', {}],
    ['another user', { SIGNALBOX_RUN_AS: 'nobody' }],
  ])('gives runs of %s the modes that git records, and no access to other users', async (_, settings) => {
    const repository = await openWithScript();
    chmodSync(harness.folder, 0o711);
    process.umask(0o077);
    const runner = await harness.startRunner(settings);
    process.umask(usual);
    if ('SIGNALBOX_RUN_AS' in settings && process.getuid?.() !== 0) {
      expect(await runner.exited).toBe(2);
      return;
    }
    const { server } = harness;
    await server.message('hello');
    const demo = server.sendJob(harness.job(2, { repository: { ...repository, id: 2, url: DEMO_REPOSITORY_URL } }));
    await server.until(() => demo.ended, 'the end of the demo', 60_000);
    const text = `one ansible_connection=local ansible_remote_tmp=${harness.data}/places/1-1/ansible\n`;
    const run = server.sendJob(
      harness.job(1, {
        repository,
        vault_password: 'a vault password',
        inventory: { type: 'static', inventory: text, access: { type: 'none' }, become: null },
        process_environment: { ANSIBLE_VERBOSITY: '1' },
      }),
    );
    await server.until(() => run.ended || existsSync(join(harness.folder, 'stay', 'waits')), 'the wait', 60_000);
    expect(existsSync(join(harness.data, 'demo.git'))).toBe(true);
    expect(openToOthers(harness.data)).toEqual([]);
    await release(harness);
    await server.until(() => run.ended, 'the end', 60_000);
    const log = run.lines.join('\n');
    expect(run.ended?.result, log).toBe('success');
    expect(log).toContain('umask 0022\\nsite.yml 644\\nfiles 755\\nfiles/script 755');
    expect(log).toContain('role 755\\nrole 644');
  });
});
