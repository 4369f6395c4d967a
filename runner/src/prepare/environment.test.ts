import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseIni, readAnsibleConfig } from './ansible-config.ts';
import { asData } from './extra-variables.ts';
import { findRequirements, isPinned, requirementsKey } from './galaxy.ts';
import { CALLBACK_FOLDER, isDeniedVariable, type RunEnvironment, runEnvironment } from './process-environment.ts';

const NOTHING = {
  callbackPlugins: undefined,
  callbacksEnabled: undefined,
  rolesPath: undefined,
  collectionsPath: undefined,
  sshCommonArgs: undefined,
};
const environment = (change: Partial<RunEnvironment> = {}) =>
  runEnvironment({
    base: { PATH: '/bin', HOME: '/root' },
    fromTemplate: {},
    config: NOTHING,
    marker: '1-1-x',
    eventsFile: '/run/events.jsonl',
    temporary: '/run/tmp',
    knownHosts: '/known',
    rolesFolder: undefined,
    collectionsFolder: undefined,
    ...change,
  });

describe('the environment of a run', () => {
  it.each([
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'BASH_ENV',
    'ANSIBLE_CONFIG',
    'ANSIBLE_CALLBACK_PLUGINS',
    'ANSIBLE_FILTER_PLUGINS',
    'ANSIBLE_LIBRARY',
    'ANSIBLE_VAULT_PASSWORD_FILE',
    'SIGNALBOX_RUN',
    'SIGNALBOX_EVENTS',
    'GIT_SSH_COMMAND',
    'GIT_CONFIG_COUNT',
    'PATH',
    'A=B',
    '',
  ])('does not take %j from a template', (name) => {
    expect(isDeniedVariable(name)).toBe(true);
    expect(environment({ fromTemplate: { [name]: 'evil' } })[name]).not.toBe('evil');
  });

  it.each(['AWS_REGION', 'ANSIBLE_STDOUT_CALLBACK', 'ANSIBLE_HOST_KEY_CHECKING', 'K8S_AUTH_KUBECONFIG', 'TERM'])(
    'takes %s',
    (name) => {
      expect(environment({ fromTemplate: { [name]: 'x' } })[name]).toBe('x');
    },
  );

  it('adds our callback to what the repository or the template configures', () => {
    const config = { ...NOTHING, callbackPlugins: '/repo/cb', callbacksEnabled: 'profile_tasks' };
    expect(environment({ config })).toMatchObject({
      ANSIBLE_CALLBACK_PLUGINS: `/repo/cb:${CALLBACK_FOLDER}`,
      ANSIBLE_CALLBACKS_ENABLED: 'profile_tasks,signalbox',
      PYTHONUNBUFFERED: '1',
      ANSIBLE_FORCE_COLOR: '1',
      SIGNALBOX_RUN: '1-1-x',
    });
    expect(
      environment({ config, fromTemplate: { ANSIBLE_CALLBACKS_ENABLED: 'timer' } }).ANSIBLE_CALLBACKS_ENABLED,
    ).toBe('timer,signalbox');
    expect(environment().ANSIBLE_CALLBACK_PLUGINS).toBe(
      `~/.ansible/plugins/callback:/usr/share/ansible/plugins/callback:${CALLBACK_FOLDER}`,
    );
  });

  it('adds what ansible-galaxy installed behind what is configured', () => {
    const installed = { rolesFolder: '/g/roles', collectionsFolder: '/g/collections' };
    expect(environment({ ...installed, config: { ...NOTHING, rolesPath: '/repo/r' } })).toMatchObject({
      ANSIBLE_ROLES_PATH: '/repo/r:/g/roles',
      ANSIBLE_COLLECTIONS_PATH: '~/.ansible/collections:/usr/share/ansible/collections:/g/collections',
    });
    expect(environment().ANSIBLE_ROLES_PATH).toBeUndefined();
  });

  it('leaves the ssh arguments of a repository alone', () => {
    expect(environment().ANSIBLE_SSH_COMMON_ARGS).toContain('accept-new');
    expect(environment({ config: { ...NOTHING, sshCommonArgs: '-o X=y' } }).ANSIBLE_SSH_COMMON_ARGS).toBeUndefined();
  });
});

describe('ansible.cfg', () => {
  it('is read as Ansible reads it', () => {
    const ini =
      '# x\n[defaults]\nRoles_Path = roles:/abs:~/r ; note\ncallbacks_enabled: a,\n  b\n;no=1\n[ssh_connection]\nssh_common_args=-o A=b\n';
    expect(Object.fromEntries(parseIni(ini))).toEqual({
      'defaults.roles_path': 'roles:/abs:~/r',
      'defaults.callbacks_enabled': 'a,\nb',
      'ssh_connection.ssh_common_args': '-o A=b',
    });
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-cfg-'));
    writeFileSync(join(folder, 'ansible.cfg'), ini);
    expect(readAnsibleConfig(folder, '/nowhere')).toEqual({
      callbackPlugins: undefined,
      callbacksEnabled: 'a,\nb',
      rolesPath: `${folder}/roles:/abs:~/r`,
      collectionsPath: undefined,
      sshCommonArgs: '-o A=b',
    });
    rmSync(folder, { recursive: true });
  });
});

describe('variables', () => {
  it('are data at every leaf', () => {
    expect(asData({ a: '{{ x }}', b: [1, true, null, { c: '' }] })).toEqual({
      a: { __ansible_unsafe: '{{ x }}' },
      b: [1, true, null, { c: { __ansible_unsafe: '' } }],
    });
  });
});

describe('requirements', () => {
  it('are found where Ansible keeps them, and named by their content', () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-galaxy-'));
    const file = join(folder, 'requirements.yml');
    expect(findRequirements(folder, join(folder, 'site.yml'))).toEqual([]);
    writeFileSync(file, '- src: a\n  version: "1"\n');
    const list = findRequirements(folder, join(folder, 'site.yml'));
    expect(list).toEqual([{ file, kind: 'role' }]);
    const key = requirementsKey(list, '2026-01-01');
    expect(requirementsKey(list, '2026-01-02')).toBe(key);
    writeFileSync(file, 'roles:\n  - src: a\ncollections:\n  - name: b.c\n    version: 1.0.0\n');
    const both = findRequirements(folder, join(folder, 'site.yml'));
    expect(both.map(({ kind }) => kind)).toEqual(['role', 'collection']);
    expect(requirementsKey(both, '2026-01-01')).not.toBe(requirementsKey(both, '2026-01-02'));
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['- src: a\n  version: 1\n', true],
    ['- src: a\n', false],
    ['collections:\n  - name: a.b\n    version: ">=1"\n  - name: c.d\n', false],
    ['- version: 1\n  src: a\n', true],
  ])('%j', (text, pinned) => {
    expect(isPinned(text)).toBe(pinned);
  });
});
