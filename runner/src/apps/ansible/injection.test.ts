import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appOf, NewInventory, NewRepository, NewTask, NewTemplate } from '@signalbox/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withoutColours } from '../../output/plain-text.ts';
import { makeRepository } from '../../testing/git-repository.testing.ts';
import { openHarness, play } from '../../testing/playbooks.testing.ts';
import type { RunnerHarness } from '../../testing/runner-harness.testing.ts';
import type { AnsibleJob } from './ansible-job.ts';

/**
 * Attempts to make a program interpret user data, through the real runner. A canary is a file that would be created, or
 * a text that would be in the log, if the attempt worked. If the server must refuse the data first, the test checks the
 * server's rules too.
 */
let harness: RunnerHarness;
let next = 0;

const canary = () => join(harness.folder, 'canary');
const TOUCH = () => `touch ${canary()}`;

interface Attempt {
  name: string;
  /** The input of the user. Its command creates the canary. */
  job: (command: string) => Partial<AnsibleJob>;
  /** More files of the repository. */
  files?: (command: string) => Record<string, string>;
  /** The expected text of the log: in its last line for a refusal, in any line for literal data. */
  expected: RegExp;
  /** True if the rules of the server refuse the input before a runner receives it. */
  server?: (command: string) => boolean;
}

const source = (change: Partial<AnsibleJob['repository']>) => ({
  repository: { id: ++next, url: harness.repository, branch: '', access: { type: 'none' as const }, ...change },
});
const git = (branch: string) => source({ url: join(harness.folder, 'origin'), branch });
const inventory = (type: AnsibleJob['inventory']['type'], text: string): Partial<AnsibleJob> => ({
  inventory: { type, inventory: text, access: { type: 'none' }, become: null },
});
const noRepository = (git_url: string, git_branch = 'main') =>
  !NewRepository.safeParse({ name: 'x', git_url, git_branch, ssh_key_id: 1 }).success;
const noTask = (change: object) => !NewTask.safeParse({ template_id: 1, ...change }).success;
const noTemplate = (playbook: string) =>
  NewTemplate.safeParse({
    name: 'x',
    playbook,
    inventory_id: 1,
    environment_id: 1,
    repository_id: 1,
  }).error?.issues.some((issue) => issue.path[0] === 'playbook') === true;
const noInventory = (text: string) =>
  !NewInventory.safeParse({ name: 'x', type: 'file', inventory: text, ssh_key_id: 1 }).success;

const url = (make: (command: string) => string, expected: RegExp, server = true): Attempt => ({
  name: `address ${make('…')}`,
  job: (command) => source({ url: make(command), branch: 'main' }),
  expected,
  ...(server ? { server: (command: string) => noRepository(make(command)) } : {}),
});
const NOT_VALID = /^The address of the repository is not valid\.$/;
const branch = (make: (command: string) => string, server = true): Attempt => ({
  name: `branch ${make('…')}`,
  job: (command) => git(make(command)),
  expected: /^The repository (has no branch or tag named |cannot be reached: ).*\.$/,
  ...(server ? { server: (command: string) => noRepository('https://host/x', make(command)) } : {}),
});
const playbook = (path: string, expected: RegExp, server = true): Attempt => ({
  name: `playbook ${path}`,
  job: () => ({ playbook: path }),
  expected,
  ...(server ? { server: () => noTemplate(path) } : {}),
});
const inventoryFile = (path: string, expected: RegExp, server = true): Attempt => ({
  name: `inventory ${path}`,
  job: () => inventory('file', path),
  expected,
  ...(server ? { server: () => noInventory(path) } : {}),
});
const limit = (text: string, expected: RegExp): Attempt => ({
  name: `limit ${text}`,
  job: (command) => ({ limit: text.replace('…', command) }),
  expected,
  server: () => noTask({ limit: text }),
});
const literalLimit = (text: string): Attempt => ({
  name: `limit ${text}`,
  job: (command) => ({ limit: text.replace('…', command) }),
  expected:
    /(Could not match supplied host pattern|Specified .* does not match any hosts|no hosts to target|Specified hosts and\/or --limit)/,
});
const argument = (...values: string[]): Attempt => ({
  name: `arguments ${values.join(' ')}`,
  job: (command) => ({ arguments: values.map((value) => value.replace('…', command)) }),
  expected: /./,
});
const answer = (text: string): Attempt => ({
  name: `answer ${text}`,
  job: (command) => ({ answers: { answer: text.replace('…', command) } }),
  expected: /^ok: \[one\]/,
});
const variable = (name: string, value: (command: string) => string): Attempt => ({
  name: `environment ${name}`,
  job: (command) => ({ process_environment: { [name]: value(command) } }),
  files: (command) => ({
    'evil.sh': `#!/bin/sh\n${command}\n`,
    'evil/sitecustomize.py': `import os; os.system("${command}")\n`,
    'evil/evil.py': `import os; os.system("${command}")\n`,
    'evil.cfg': '[defaults]\ncallback_plugins = evil\n',
  }),
  expected: new RegExp(`^The environment variable ${name} is not passed on: `),
});
const requirement = (text: (command: string) => string): Attempt => ({
  name: `requirement ${text('…')}`,
  job: () => ({}),
  files: (command) => ({ 'requirements.yml': text(command) }),
  expected: /^The requirement .* of requirements\.yml is refused: .*\.$/,
});

const ATTEMPTS: Attempt[] = [
  url((command) => `--upload-pack=${command}`, NOT_VALID),
  url((command) => `-u${command}`, NOT_VALID),
  url((command) => `ext::sh -c ${command}`, NOT_VALID),
  url((command) => `ext::sh% -c% ${command.replaceAll(' ', '% ')}`, NOT_VALID),
  url((command) => `ssh://-oProxyCommand=${command}/x`, NOT_VALID, false),
  url((command) => `ssh://-oProxyCommand=${command}@host/x`, NOT_VALID, false),
  url((command) => `-oProxyCommand=${command}:x`, NOT_VALID),
  url((command) => `x@-oProxyCommand=${command}:x`, NOT_VALID, false),
  url((command) => `ssh://127.0.0.1:1/\`${command}\`;$(${command})`, /^The repository cannot be reached: /, false),
  url(() => 'file:///etc', /is outside the folders that SIGNALBOX_LOCAL_REPOSITORY_ROOTS lists\.$/, false),
  url(() => 'fd::17/foo', NOT_VALID),
  url(() => 'https://host/x\nhelper = !id', NOT_VALID),
  branch((command) => `--upload-pack=${command}`),
  branch((command) => `--exec=${command}`),
  branch((command) => `main; ${command}`),
  branch((command) => `$(${command})`),
  branch(() => '../../../etc/passwd'),
  branch(() => '-x'),
  playbook('../tmp', /^The playbook \.\.\/tmp is outside the repository\.$/),
  playbook('/etc/passwd', /^The playbook \/etc\/passwd is not in the repository\.$/),
  playbook('link.yml', /^The playbook link\.yml is outside the repository\.$/, false),
  playbook('folder/outside.yml', /^The playbook folder\/outside\.yml is outside the repository\.$/, false),
  playbook('--version', /^The playbook --version is not in the repository\.$/),
  playbook('-e@/etc/passwd', /^The playbook -e@\/etc\/passwd is not in the repository\.$/),
  inventoryFile('../secrets', /^The inventory \.\.\/secrets is outside the repository\.$/),
  inventoryFile('/etc/passwd', /is outside the folders that SIGNALBOX_LOCAL_REPOSITORY_ROOTS lists\.$/, false),
  inventoryFile('link.ini', /^The inventory link\.ini is outside the repository\.$/, false),
  limit('@/etc/passwd', /^The limit is not a host pattern\.$/),
  limit('one:@/etc/passwd', /^The limit is not a host pattern\.$/),
  limit('-e ansible_connection=x', /^The limit is not a host pattern\.$/),
  limit('one\n--version', /^The limit is not a host pattern\.$/),
  literalLimit('x; …'),
  literalLimit('$(…)'),
  literalLimit("{{ lookup('pipe', '…') }}"),
  { ...argument('--tags', '$(…)'), expected: /^PLAY RECAP/ },
  { ...argument('--tags', 'x; …'), expected: /^PLAY RECAP/ },
  answer("{{ lookup('pipe', '…') }}"),
  answer("{% if lookup('pipe', '…') %}x{% endif %}"),
  answer("'; …; '"),
  answer('$(…)'),
  answer("!unsafe {{ 1 }}\n- x: \"{{ lookup('pipe', '…') }}\""),
  {
    name: 'message of a task',
    job: (command) => ({ task_details: { id: 1, message: `{{ lookup('pipe', '${command}') }}` } }),
    expected: /^ok: \[one\]/,
  },
  variable('BASH_ENV', () => join(harness.repository, 'evil.sh')),
  variable('PYTHONPATH', () => join(harness.repository, 'evil')),
  variable('LD_PRELOAD', () => join(harness.repository, 'evil.so')),
  variable('ANSIBLE_CONFIG', () => join(harness.repository, 'evil.cfg')),
  variable('ANSIBLE_CALLBACK_PLUGINS', () => join(harness.repository, 'evil')),
  variable('ANSIBLE_VAULT_PASSWORD_FILE', () => join(harness.repository, 'evil.sh')),
  variable('GIT_SSH_COMMAND', (command) => command),
  variable('SSH_ASKPASS', () => join(harness.repository, 'evil.sh')),
  requirement((command) => `- {src: "--upload-pack=${command}", scm: git, name: x}\n`),
  requirement((command) => `- {src: "git+ext::sh -c ${command}", name: x}\n`),
  requirement((command) => `- {src: "git+ssh://-oProxyCommand=${command}/x", name: x}\n`),
  requirement(() => '- {src: "git+https://127.0.0.1:1/x", name: ../../../evil}\n'),
  requirement(() => '- {src: /etc/passwd, name: x}\n'),
  requirement(() => '- {src: ../outside.yml, name: x}\n'),
  requirement((command) => `collections: [{name: a.b, type: git, source: "ext::sh -c ${command}"}]\n`),
  requirement((command) => `- {src: a.b, version: "--output=${command}"}\n`),
];

beforeAll(async () => {
  harness = await openHarness({
    'site.yml': play(
      '- name: Show',
      '  ansible.builtin.debug:',
      '    msg: "shown {{ answer | default(semaphore_vars.task_details.message | default(x | default(1))) }}"',
    ),
    'inside/x.yml': '',
  });
  writeFileSync(join(harness.folder, 'outside.yml'), `${play('- ansible.builtin.debug: {msg: outside}')}`);
  writeFileSync(join(harness.folder, 'outside.ini'), 'outside\n');
  symlinkSync(join(harness.folder, 'outside.yml'), join(harness.repository, 'link.yml'));
  symlinkSync(join(harness.folder, 'outside.ini'), join(harness.repository, 'link.ini'));
  symlinkSync(harness.folder, join(harness.repository, 'folder'));
  await makeRepository(join(harness.folder, 'origin'), { 'site.yml': play('- ansible.builtin.debug: {msg: x}') });
  await harness.startRunner({ SIGNALBOX_LOCAL_REPOSITORY_ROOTS: harness.folder });
  await harness.server.message('hello');
});
afterAll(() => harness.close());

const base = () => readdirSync(harness.repository).filter((name) => /^(requirements|evil)/.test(name));

beforeEach(() => {
  for (const name of base()) rmSync(join(harness.repository, name), { recursive: true });
  rmSync(canary(), { force: true });
});

describe('[S7] input stays data', () => {
  it.each(ATTEMPTS)('$name', async ({ job, files, expected, server }) => {
    const command = TOUCH();
    mkdirSync(join(harness.repository, 'inside'), { recursive: true });
    harness.write(files?.(command) ?? {});
    if (server) expect(server(command), 'the rules of the server').toBe(true);
    const run = harness.server.sendJob(
      harness.job(++next, { ...inventory('static', 'one ansible_connection=local\n'), ...job(command) }),
    );
    await harness.server.until(() => run.ended, 'the end', 60_000);
    const lines = run.lines.map(withoutColours);
    const text = lines.join('\n');
    if (run.ended?.reason === 'finished' || run.ended?.reason === 'exit_code') {
      expect(
        lines.some((line) => expected.test(line)),
        text,
      ).toBe(true);
    } else {
      expect(lines.at(-1), text).toMatch(expected);
    }
    expect(existsSync(canary()), text).toBe(false);
    expect(text).not.toContain('root:x:0:0');
  });
});

/** Users who can edit a template can run code on the runner anyway. Other users can't pass any of these arguments. */
describe('[S7] arguments from users without permission to edit templates', () => {
  it.each([
    ['-e', 'x={{ lookup("pipe", "id") }}'],
    ['--extra-vars=@/etc/passwd'],
    ['--extra-v=@/etc/passwd'],
    ['--inventory', 'evil,'],
    ['-ievil,'],
    ['--vault-password-file=./evil.sh'],
    ['--vault-pass', './evil.sh'],
    ['-M', 'evil'],
    ['--ssh-common-args=-oProxyCommand=id'],
    ['--private-key', '/root/.ssh/id_rsa'],
    ['--become-password-file', './evil.sh'],
    ['--connection=local'],
    ['--limit', '@/etc/passwd'],
    ['--tags', '--version'],
    ['--', '/etc/passwd'],
    ['other.yml'],
  ])('%s %s', (...values) => {
    expect(appOf('ansible').argumentForEditors(values.filter((value) => value !== undefined))).toBeDefined();
  });
});
