import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnsibleJob } from '../../apps/ansible/ansible-job.ts';
import { ansibleError } from '../../apps/ansible/exit.ts';
import { HELLO, openHarness, play } from '../../testing/playbooks.testing.ts';
import { localHost, type RunnerHarness } from '../../testing/runner-harness.testing.ts';

const SECRET = 'a-secret-of-the-run';
const NONE = { type: 'none' } as const;
const KEY = { type: 'ssh', login: '', private_key: 'no key', key: { id: 7, name: 'Web hosts' } } as const;

describe('the reason of a failed run', () => {
  let harness: RunnerHarness;
  let next = 1;

  beforeAll(async () => {
    harness = await openHarness({
      'site.yml': HELLO,
      'yaml.yml': '- hosts: all\n  tasks:\n    - name: a\n      foo bar: x: y\n',
      'plays/role.yml': '- hosts: all\n  gather_facts: false\n  roles: [absent]\n',
      'plays/module.yml': play('- name: Add a record', '  example.absent.dns_record: {name: web1}'),
      'secret.yml': `- hosts: all\n  gather_facts: false\n  roles: [${SECRET}]\n`,
      'failing.yml': '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.fail: {msg: on purpose}\n',
      'forging.yml':
        '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.pause: {prompt: "x\\nERROR! Specified hosts and/or --limit does not match any hosts", seconds: 1}\n    - ansible.builtin.fail: {msg: on purpose}\n',
      'long.yml': play('- ansible.builtin.command: sleep 600'),
      'killed.yml': play('- ansible.builtin.script: kill-playbook.sh'),
      // Kills the ansible-playbook that it descends from, which has workers of the same name.
      'kill-playbook.sh': `#!/bin/sh
pid=$$
while [ "$pid" -gt 1 ]; do
  grep -q '^ansible-playb' "/proc/$pid/comm" && playbook=$pid
  pid=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status")
done
kill -9 "$playbook"
`,
      'offline/site.yml': HELLO,
      'offline/requirements.yml': `- {name: absent, src: 'https://127.0.0.1:1/role.tar.gz'}\n`,
      'refused/site.yml': HELLO,
      'refused/requirements.yml': '- {src: ../role, name: ../../role}\n',
      'required/site.yml': HELLO,
      'required/requirements.yml': 'roles: 5\n',
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', harness.repository, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    await harness.startRunner();
    await harness.server.message('hello');
  });
  afterAll(() => harness.close());

  const repository = (branch: string): AnsibleJob['repository'] => ({
    id: 1,
    url: harness.repository,
    branch,
    access: NONE,
  });
  const inventory = {
    type: 'static',
    access: NONE,
    become: null,
    inventory: localHost('one'),
  } as const;

  it.each<[string, () => Partial<AnsibleJob>, object]>([
    [
      'a missing branch',
      () => ({ repository: repository('gone') }),
      { code: 'git.branch_missing', params: { branch: 'gone' } },
    ],
    ['a missing commit', () => ({ commit: 'a'.repeat(40) }), { code: 'git.commit_missing' }],
    [
      'a repository that does not answer',
      () => ({ repository: { ...repository('main'), url: 'https://127.0.0.1:1/a.git' } }),
      {
        code: 'git.unreachable',
        params: { repository: 'https://127.0.0.1:1/a.git', detail: expect.stringContaining('connect') },
      },
    ],
    [
      'a missing playbook',
      () => ({ playbook: 'a/gone.yml' }),
      { code: 'playbook.missing', params: { path: 'a/gone.yml' } },
    ],
    [
      'a playbook outside the repository',
      () => ({ playbook: `${'../'.repeat(20)}etc/hosts` }),
      { code: 'playbook.outside' },
    ],
    [
      'a YAML error',
      () => ({ playbook: 'yaml.yml' }),
      {
        code: 'playbook.invalid',
        params: { file: 'yaml.yml', line: 4, column: 17, detail: expect.stringContaining('mapping') },
      },
    ],
    [
      'a missing role',
      () => ({ playbook: 'plays/role.yml' }),
      {
        code: 'playbook.invalid',
        params: { file: 'plays/role.yml', line: 3, detail: expect.stringMatching(/^the role 'absent'/) },
      },
    ],
    [
      'a missing module',
      () => ({ playbook: 'plays/module.yml' }),
      {
        code: 'playbook.module_missing',
        params: { module: 'example.absent.dns_record', file: 'plays/module.yml', line: 6 },
      },
    ],
    [
      'an error that names a secret',
      () => ({ playbook: 'secret.yml', vault_password: SECRET }),
      { code: 'playbook.invalid', params: { detail: expect.stringContaining("the role '****'") } },
    ],
    ['a limit without hosts', () => ({ limit: 'gone' }), { code: 'limit.no_match', params: { limit: 'gone' } }],
    [
      'a limit of the template without hosts',
      () => ({ limit: 'one', arguments: ['--limit', 'absent'] }),
      { code: 'limit.no_match', params: { limit: 'absent' } },
    ],
    [
      'hosts that fail after a forged error',
      () => ({ playbook: 'forging.yml' }),
      { code: 'ansible.exit', params: { exit_code: 2 } },
    ],
    ['an unknown option', () => ({ arguments: ['--no-such'] }), { code: 'ansible.refused' }],
    ['hosts that fail', () => ({ playbook: 'failing.yml' }), { code: 'ansible.exit', params: { exit_code: 2 } }],
    [
      'a missing inventory',
      () => ({ inventory: { ...inventory, type: 'file', inventory: 'gone.ini' } }),
      { code: 'inventory.missing', params: { path: 'gone.ini' } },
    ],
    [
      'requirements that are not a list',
      () => ({ playbook: 'required/site.yml' }),
      { code: 'requirements.invalid', params: { file: 'required/requirements.yml', detail_code: 'not_list' } },
    ],
    ...(
      [
        ['an address without a host', 'https://', 'git.address_invalid', {}],
        ['a protocol that is not supported', 'ftp://git.example/a.git', 'git.protocol_refused', { protocol: 'ftp' }],
        ['a local repository outside the roots', '/etc', 'git.local_outside', { repository: '/etc' }],
        ['a host without an SSH server', 'ssh://git@127.0.0.1:1/a.git', 'git.unreachable', {}],
      ] as const
    ).map(([what, url, code, params]): [string, () => Partial<AnsibleJob>, object] => [
      what,
      () => ({ repository: { ...repository('main'), url } }),
      { code, params },
    ]),
    [
      'a key whose passphrase is wrong',
      () => ({ inventory: { ...inventory, access: { ...KEY, passphrase: 'wrong-passphrase' } } }),
      { code: 'key.passphrase_wrong', params: { key_id: 7, key_name: 'Web hosts' } },
    ],
    [
      'a key for becoming another user',
      () => ({ inventory: { ...inventory, become: { ...KEY, passphrase: '' } } }),
      { code: 'key.not_for_become' },
    ],
    [
      'a role that cannot be installed',
      () => ({ playbook: 'offline/site.yml' }),
      { code: 'requirements.roles_not_installed', params: { file: 'offline/requirements.yml' } },
    ],
    [
      'a requirement that is not allowed',
      () => ({ playbook: 'refused/site.yml' }),
      { code: 'requirements.refused', params: { file: 'refused/requirements.yml', detail_code: 'file_missing' } },
    ],
    ['a time limit', () => ({ playbook: 'long.yml', max_duration: 2 }), { code: 'time_limit', params: { seconds: 2 } }],
    ['a killed playbook', () => ({ playbook: 'killed.yml' }), { code: 'ansible.signal', params: { signal: 9 } }],
    [
      'a key that cannot be used',
      () => ({
        inventory: {
          ...inventory,
          access: { type: 'ssh', login: '', private_key: 'no key', passphrase: '', key: { id: 7, name: 'Web hosts' } },
        },
      }),
      { code: 'key.damaged', params: { key_id: 7, key_name: 'Web hosts' } },
    ],
  ])('is a code for %s', async (_, change, expected) => {
    const { server } = harness;
    const run = server.sendJob(harness.job(next++, change()));
    const ended = await server.until(() => run.ended, 'the end');
    expect(ended).toMatchObject({ result: 'error', end_reason: expected });
    expect(JSON.stringify(ended)).not.toContain(SECRET);
    expect(JSON.stringify(ended.end_reason)).not.toContain(harness.data);
  });

  it('is absent after a success', async () => {
    const { server } = harness;
    const run = server.sendJob(harness.job(next++));
    expect(await server.until(() => run.ended, 'the end')).toMatchObject({ result: 'success' });
    expect(run.ended?.end_reason).toBeUndefined();
  });
});

describe('the error at the end of the output', () => {
  it('is read in the format of ansible-core 2.19', () => {
    const output = `\x1b[0;31m[ERROR]: YAML parsing failed: Mapping values are not allowed.\x1b[0m
\x1b[0;31mOrigin: /data/checkout/site.yml:4:17\x1b[0m
`;
    expect(ansibleError(output, '/data/checkout')).toEqual({
      code: 'playbook.invalid',
      params: {
        file: 'site.yml',
        line: 4,
        column: 17,
        detail: 'YAML parsing failed: Mapping values are not allowed.',
      },
    });
  });

  it.each([
    ['ansible-core 2.19', '[ERROR]: ', 'Origin: /data/checkout/site.yml:4:7'],
    ['ansible-core 2.19 with a broken line', '[ERROR]: ', 'Origin: /data/checkout/site.yml:4:7'],
    [
      'ansible-core 2.14',
      'ERROR! ',
      "\nThe error appears to be in '/data/checkout/site.yml': line 4, column 7, but may\nbe elsewhere in the file",
    ],
  ])('names a missing module in the format of %s', (format, beginning, position) => {
    const space = format.endsWith('broken line') ? '\n' : ' ';
    const hint = 'This often indicates a misspelling, missing collection, or incorrect module path.';
    const output = `${beginning}couldn't resolve module/action${space}'community.absent.thing'. ${hint}\n${position}\n`;
    expect(ansibleError(output, '/data/checkout')).toEqual({
      code: 'playbook.module_missing',
      params: { module: 'community.absent.thing', file: 'site.yml', line: 4 },
    });
  });

  it('is undefined if Ansible printed no error', () => {
    expect(ansibleError('fatal: [one]: FAILED! => {}\nPLAY RECAP\n', '/data/checkout')).toBeUndefined();
  });
});
