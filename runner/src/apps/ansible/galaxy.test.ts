import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../process/program.ts';
import { makeRepository } from '../../testing/git-repository.testing.ts';
import { openHarness, play } from '../../testing/playbooks.testing.ts';
import { type RunnerHarness, TEST_PATH } from '../../testing/runner-harness.testing.ts';
import { inventoryLine, makeKey, startSshHost } from '../../testing/sshd.testing.ts';
import type { AnsibleJob } from './ansible-job.ts';

let harness: RunnerHarness;
afterEach(() => harness.close());

const pack = async (folder: string, archive: string) => {
  const end = await runProgram('tar', ['-czf', archive, '-C', folder, '.'], {
    env: { PATH: TEST_PATH },
    timeoutMs: 10_000,
  });
  expect(end.code).toBe(0);
};

const ROLE = {
  'meta/main.yml':
    'galaxy_info: {author: t, description: t, license: MIT, min_ansible_version: "2.12"}\ndependencies: []\n',
  'tasks/main.yml': [
    '- ansible.builtin.command: printenv SSH_CONNECTION',
    '  register: line',
    '  failed_when: false',
    '  changed_when: false',
    "- ansible.builtin.debug: {msg: \"greetings from the role {{ 'over ssh' if line.rc == 0 else 'from here' }}\"}",
    '',
  ].join('\n'),
};
const COLLECTION = {
  'galaxy.yml': 'namespace: local\nname: texts\nversion: 1.2.3\nreadme: README.md\nauthors: [t]\nlicense: [MIT]\n',
  'README.md': '# Texts\n',
  'plugins/filter/loud.py':
    'class FilterModule:\n    def filters(self):\n        return {"loud": lambda text: text.upper() + "!"}\n',
  'plugins/modules/where.py': `import os
from ansible.module_utils.basic import AnsibleModule
module = AnsibleModule(argument_spec={})
module.exit_json(line="over ssh" if "SSH_CONNECTION" in os.environ else "from here")
`,
};
const writeTree = (folder: string, files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};

describe('archives of a repository', () => {
  /** A role and a collection as archives of the repository, and a playbook that uses both. */
  const openWithArchives = async () => {
    harness = await openHarness({
      'site.yml':
        '- hosts: one\n  gather_facts: false\n  roles: [greeter]\n  tasks:\n    - local.texts.where:\n      register: where\n    - ansible.builtin.debug: {msg: "{{ \'hello\' | local.texts.loud }} {{ where.line }}"}\n',
      'requirements.yml':
        'roles:\n  - {src: ./archives/greeter.tar.gz, name: greeter}\ncollections:\n  - name: ./archives/local-texts-1.2.3.tar.gz\n',
    });
    const archives = join(harness.repository, 'archives');
    writeTree(join(harness.folder, 'role'), ROLE);
    writeTree(join(harness.folder, 'collection'), COLLECTION);
    mkdirSync(archives);
    await pack(join(harness.folder, 'role'), join(archives, 'greeter.tar.gz'));
    const built = await runProgram('ansible-galaxy', ['collection', 'build', `--output-path=${archives}`], {
      cwd: join(harness.folder, 'collection'),
      env: { PATH: TEST_PATH, HOME: harness.folder },
      timeoutMs: 60_000,
    });
    expect(built.code, built.stderr).toBe(0);
  };
  const GREETINGS = [/greetings from the role/, /HELLO!/];

  it('are installed by one run while other runs wait, also after a run was killed, and work on a host over SSH', async () => {
    await openWithArchives();
    const { server } = harness;
    const key = await makeKey('ed25519');
    const staging = join(harness.data, 'galaxy', 'x.draft-of-a-killed-process');
    mkdirSync(staging, { recursive: true });
    await harness.startRunner();
    await server.message('hello');
    const runs = [1, 2].map((id) => server.sendJob(harness.job(id)));
    for (const run of runs) {
      await server.until(() => run.ended, 'the end', 60_000);
      const text = run.lines.join('\n');
      expect(run.ended?.result, text).toBe('success');
      for (const greeting of GREETINGS) expect(text).toMatch(greeting);
      expect(run.ended?.versions).toEqual({
        ansible: expect.stringMatching(/^2\.\d+\.\d+/),
        python: expect.stringMatching(/^3\.\d+\.\d+/),
        image_digest: null,
        collections: [{ name: 'local.texts', version: '1.2.3' }],
        roles: [{ name: 'greeter', version: '' }],
      });
    }
    const has = (line: string) => runs.filter((run) => run.lines.includes(line)).length;
    expect(has('Another run is installing the same requirements: waiting for it.')).toBe(1);
    expect(has('Requirements are installed already.')).toBe(1);
    // The run that waited logs the duration of this phase too.
    for (const run of runs)
      expect(run.lines.filter((line) => /^Requirements installed in [\d.]+ s\.$/.test(line))).toHaveLength(1);
    const [kept = '', ...more] = readdirSync(join(harness.data, 'galaxy'));
    expect(more).toEqual([]);
    // The cleaner uses the time of the last use.
    utimesSync(join(harness.data, 'galaxy', kept), 0, 0);
    const host = await startSshHost({ name: 'one', address: '127.0.0.2', authorized: [key.public_key] });
    try {
      const access = { type: 'ssh', login: userInfo().username, ...key } as const;
      const inventory = { type: 'static', inventory: inventoryLine(host), access, become: null } as const;
      const third = server.sendJob(harness.job(3, { inventory }));
      await server.until(() => third.ended, 'the end', 60_000);
      for (const greeting of [/greetings from the role over ssh/, /HELLO! over ssh/])
        expect(third.lines.join('\n')).toMatch(greeting);
    } finally {
      await host.stop();
    }
    expect(statSync(join(harness.data, 'galaxy', kept)).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });

  it('are installed as the run user, who cannot change them afterwards', async () => {
    await openWithArchives();
    chmodSync(harness.folder, 0o711);
    const { server } = harness;
    const runner = await harness.startRunner({ SIGNALBOX_RUN_AS: 'nobody' });
    if (process.getuid?.() !== 0) {
      expect(await runner.exited).toBe(2);
      return;
    }
    await server.message('hello');
    // The user has no home.
    const local = `one ansible_connection=local ansible_remote_tmp=${harness.data}/places/1-1/ansible\n`;
    const inventory = { type: 'static', inventory: local, access: { type: 'none' }, become: null } as const;
    const run = server.sendJob(harness.job(1, { inventory }));
    await server.until(() => run.ended, 'the end', 60_000);
    const text = run.lines.join('\n');
    expect(run.ended?.result, text).toBe('success');
    for (const greeting of GREETINGS) expect(text).toMatch(greeting);
    const cache = join(harness.data, 'galaxy');
    const entries = readdirSync(cache, { recursive: true, encoding: 'utf8' }).map((name) =>
      statSync(join(cache, name)),
    );
    expect(entries.length).toBeGreaterThan(5);
    for (const { uid, mode } of entries) {
      expect(uid).toBe(0);
      expect(mode & 0o022).toBe(0);
    }
    for (const name of readdirSync(cache)) expect(statSync(join(cache, name)).mode & 0o777).toBe(0o750);
  });
});

describe('requirements of a repository', () => {
  it('[S7] are installed without starting the cowsay program that ansible.cfg names', async () => {
    harness = await openHarness({
      'site.yml': play('- ansible.builtin.debug: {msg: hello}'),
      'requirements.yml': '- {src: ./greeter.tar.gz, name: greeter}\n',
      'ansible.cfg': '[defaults]\ncowpath = ./cow\n',
    });
    const record = join(harness.folder, 'record');
    harness.write({ cow: `#!/bin/sh\ntr '\\0' ' ' < /proc/$PPID/cmdline >> '${record}'\n` });
    chmodSync(join(harness.repository, 'cow'), 0o755);
    writeTree(join(harness.folder, 'role'), ROLE);
    await pack(join(harness.folder, 'role'), join(harness.repository, 'greeter.tar.gz'));
    await harness.startRunner();
    await harness.server.message('hello');
    const run = harness.server.sendJob(harness.job(1));
    await harness.server.until(() => run.ended, 'the end', 60_000);
    expect(run.ended?.result, run.lines.join('\n')).toBe('success');
    const started = readFileSync(record, 'utf8');
    expect(started).toContain('ansible-playbook');
    expect(started).not.toContain('ansible-galaxy');
  });

  it('are installed once if they name the repository itself, which each run clones', async () => {
    harness = await openHarness();
    const { path } = await makeRepository(join(harness.folder, 'texts'), {
      ...COLLECTION,
      'site.yml': play('- ansible.builtin.debug: {msg: "{{ \'hello\' | local.texts.loud }}"}'),
      'requirements.yml': 'collections:\n  - {name: ., type: dir}\n',
    });
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    const repository = { id: 1, url: path, branch: 'main', access: { type: 'none' } } as const;
    for (const task of [1, 2]) {
      const run = server.sendJob(harness.job(task, { repository }));
      await server.until(() => run.ended, 'the end', 60_000);
      const text = run.lines.join('\n');
      expect(run.ended?.result, text).toBe('success');
      expect(text).toContain('HELLO!');
      expect(run.lines.includes('Requirements are installed already.')).toBe(task === 2);
    }
  });

  it('are installed once per content, and playbooks find their roles', async () => {
    harness = await openHarness({ 'site.yml': '- hosts: one\n  gather_facts: false\n  roles: [greeter]\n' });
    const role = join(harness.folder, 'role');
    mkdirSync(join(role, 'tasks'), { recursive: true });
    mkdirSync(join(role, 'meta'));
    writeFileSync(
      join(role, 'meta', 'main.yml'),
      'galaxy_info: {author: t, description: t, license: MIT, min_ansible_version: "2.12"}\ndependencies: []\n',
    );
    writeFileSync(join(role, 'tasks', 'main.yml'), '- ansible.builtin.debug: {msg: "greetings from the role"}\n');
    await pack(role, join(harness.folder, 'greeter.tar.gz'));
    const requirements = `- src: file://${harness.folder}/greeter.tar.gz\n  name: greeter\n  version: "1"\n`;
    harness.write({ 'roles/requirements.yml': requirements });
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    for (const task of [1, 2]) {
      const run = server.sendJob(harness.job(task));
      await server.until(() => run.ended, 'the end');
      expect(run.lines.join('\n')).toContain('greetings from the role');
      expect(run.lines).toContain('Requirements: roles/requirements.yml');
      expect(run.lines.includes('Requirements are installed already.')).toBe(task === 2);
      expect(run.ended?.result).toBe('success');
    }
    expect(readdirSync(join(harness.data, 'galaxy'))).toHaveLength(1);
  });

  it('[S2] are shared between projects only if neither a key nor an ansible.cfg decides their source', async () => {
    harness = await openHarness({ 'site.yml': '- hosts: one\n  gather_facts: false\n  roles: [greeter]\n' });
    writeTree(join(harness.folder, 'role'), ROLE);
    await pack(join(harness.folder, 'role'), join(harness.repository, 'greeter.tar.gz'));
    harness.write({ 'requirements.yml': '- {src: ./greeter.tar.gz, name: greeter}\n' });
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    let task = 0;
    const isInstalled = async (change: Partial<AnsibleJob>) => {
      const run = server.sendJob(harness.job(++task, change));
      await server.until(() => run.ended, 'the end', 60_000);
      expect(run.ended?.result, run.lines.join('\n')).toBe('success');
      return !run.lines.includes('Requirements are installed already.');
    };
    const access = { type: 'login_password', login: 'me', password: 'secret-password' } as const;
    const repository = { id: 1, url: harness.repository, branch: '', access };
    expect(await isInstalled({ project_id: 1 })).toBe(true);
    expect(await isInstalled({ project_id: 2 })).toBe(false);
    expect(await isInstalled({ project_id: 1, repository })).toBe(true);
    expect(await isInstalled({ project_id: 1, repository })).toBe(false);
    expect(await isInstalled({ project_id: 2, repository })).toBe(true);
    harness.write({ 'ansible.cfg': '[galaxy]\nserver = http://127.0.0.1:1\n' });
    expect(await isInstalled({ project_id: 2 })).toBe(true);
    rmSync(join(harness.repository, 'ansible.cfg'));
    expect(await isInstalled({ project_id: 1 })).toBe(false);
  });

  it('end the run with one message after the output of ansible-galaxy if they cannot be installed', async () => {
    harness = await openHarness({
      'site.yml': '- hosts: one\n',
      'requirements.yml': '- src: ./role.tar.gz\n  name: missing\n',
      'role.tar.gz': 'no archive',
    });
    const { server } = harness;
    await harness.startRunner();
    await server.message('hello');
    const run = server.sendJob(harness.job(1));
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'error', reason: 'preparation' });
    expect(run.lines.at(-1)).toBe(
      'ansible-galaxy could not install the roles of requirements.yml: see the lines above.',
    );
    expect(run.lines.length).toBeGreaterThan(5);
    expect(readdirSync(join(harness.data, 'galaxy'))).toEqual([]);
  });
});
