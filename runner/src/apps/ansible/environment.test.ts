import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseIni, readAnsibleConfig } from './ansible-config.ts';
import { asData } from './extra-variables.ts';
import {
  CALLBACK_FOLDER,
  DENIED_VARIABLES,
  isDeniedVariable,
  type RunEnvironment,
  runEnvironment,
} from './process-environment.ts';

const NOTHING = {
  callbackPlugins: undefined,
  callbacksEnabled: undefined,
  rolesPath: undefined,
  collectionsPath: undefined,
  sshArguments: {},
};
const ARGUMENTS = { ANSIBLE_SSH_ARGS: '-C -F /run/secrets/ssh/config' };
const environment = (change: Partial<RunEnvironment> = {}) =>
  runEnvironment({
    base: { PATH: '/bin', HOME: '/root' },
    fromTemplate: {},
    config: NOTHING,
    eventsFile: '/run/events.jsonl',
    eventsLimit: 1000,
    temporary: '/run/tmp',
    ssh: { socket: undefined, folder: '/run/secrets/ssh', arguments: ARGUMENTS, isStrict: false },
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
    'SIGNALBOX_EVENTS_LIMIT',
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
    'takes %s from a template',
    (name) => {
      expect(environment({ fromTemplate: { [name]: 'x' } })[name]).toBe('x');
    },
  );

  it('adds the callback plugin of Signalbox to those of the repository or the template', () => {
    const config = { ...NOTHING, callbackPlugins: '/repo/cb', callbacksEnabled: 'profile_tasks' };
    expect(environment({ config })).toMatchObject({
      ANSIBLE_CALLBACK_PLUGINS: `/repo/cb:${CALLBACK_FOLDER}`,
      ANSIBLE_CALLBACKS_ENABLED: 'profile_tasks,signalbox',
      PYTHONUNBUFFERED: '1',
      ANSIBLE_FORCE_COLOR: '1',
    });
    expect(
      environment({ config, fromTemplate: { ANSIBLE_CALLBACKS_ENABLED: 'timer' } }).ANSIBLE_CALLBACKS_ENABLED,
    ).toBe('timer,signalbox');
    expect(environment().ANSIBLE_CALLBACK_PLUGINS).toBe(
      `~/.ansible/plugins/callback:/usr/share/ansible/plugins/callback:${CALLBACK_FOLDER}`,
    );
  });

  it('adds the paths that ansible-galaxy installed to after the configured paths', () => {
    const installed = { rolesFolder: '/g/roles', collectionsFolder: '/g/collections' };
    expect(environment({ ...installed, config: { ...NOTHING, rolesPath: '/repo/r' } })).toMatchObject({
      ANSIBLE_ROLES_PATH: '/repo/r:/g/roles',
      ANSIBLE_COLLECTIONS_PATH: '~/.ansible/collections:/usr/share/ansible/collections:/g/collections',
    });
    expect(environment().ANSIBLE_ROLES_PATH).toBeUndefined();
  });

  it('[S5] names only the SSH agent of the run, and keeps open connections in the folder of the run', () => {
    const [none, some] = [undefined, '/run/secrets/ssh/agent'].map((socket) =>
      environment({
        fromTemplate: { SSH_AUTH_SOCK: '/tmp/of-another-user', ANSIBLE_SSH_CONTROL_PATH_DIR: '/tmp' },
        ssh: { socket, folder: '/run/secrets/ssh', arguments: ARGUMENTS, isStrict: socket !== undefined },
      }),
    );
    expect(none).not.toHaveProperty('SSH_AUTH_SOCK');
    expect(none).not.toHaveProperty('ANSIBLE_HOST_KEY_CHECKING');
    expect(some).toMatchObject({
      SSH_AUTH_SOCK: '/run/secrets/ssh/agent',
      ...ARGUMENTS,
      ANSIBLE_SSH_CONTROL_PATH: '',
      ANSIBLE_SSH_CONTROL_PATH_DIR: '/run/secrets/ssh',
      ANSIBLE_HOST_KEY_CHECKING: 'True',
    });
    const long = { socket: undefined, folder: `/${'x'.repeat(80)}`, arguments: {}, isStrict: false };
    expect(environment({ ssh: long })).toMatchObject({ ANSIBLE_SSH_CONTROL_PATH: 'none' });
  });

  it('matches the documentation, which lists exactly the names that a template may not set', () => {
    const text = readFileSync(
      join(import.meta.dirname, '../../../../docs/operations/environment-variables.md'),
      'utf8',
    );
    const rows = text.split('\n').filter((row) => row.startsWith('| `'));
    const documented = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]),
    );
    expect(documented.toSorted()).toEqual([...DENIED_VARIABLES].sort());
  });
});

describe('ansible.cfg', () => {
  it('is read with the settings that Ansible reads', () => {
    const ini =
      '# x\n[defaults]\nRoles_Path = roles:/abs:~/r ; note\ncallbacks_enabled: a,\n  b\n;no=1\n[ssh_connection]\nssh_args=-o A=b\n';
    expect(Object.fromEntries(parseIni(ini))).toEqual({
      'defaults.roles_path': 'roles:/abs:~/r',
      'defaults.callbacks_enabled': 'a,\nb',
      'ssh_connection.ssh_args': '-o A=b',
    });
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-cfg-'));
    writeFileSync(join(folder, 'ansible.cfg'), ini);
    expect(readAnsibleConfig(folder, '/nowhere')).toEqual({
      callbackPlugins: undefined,
      callbacksEnabled: 'a,\nb',
      rolesPath: `${folder}/roles:/abs:~/r`,
      collectionsPath: undefined,
      sshArguments: { ssh_args: '-o A=b' },
    });
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['between names', `a${' '.repeat(1 << 20)}b`, undefined],
    ['before a value', `a =${' '.repeat(1 << 20)}b`, 'b'],
    ['in a value', `a = b${' '.repeat(1 << 20)}c`, `b${' '.repeat(1 << 20)}c`],
    ['in a comment', `a = b${' ;'.repeat(1 << 19)}\rc`, 'b'],
  ])('is read quickly with a million blanks %s', (_, row, value) => {
    expect(parseIni(`[x]\n${row}\n`).get('x.a')).toBe(value);
  });

  it('[S7] is not read if it leads out of the checkout, never ends, or is too long', () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-cfg-'));
    const [checkout, home] = [join(folder, 'checkout'), join(folder, 'home')];
    for (const path of [checkout, home]) mkdirSync(path);
    const config = join(checkout, 'ansible.cfg');
    const put = (change: () => void): void => {
      rmSync(config, { force: true });
      change();
    };
    writeFileSync(join(folder, 'other.cfg'), '[ssh_connection]\nssh_args = of another user\n');
    for (const target of ['../other.cfg', '/dev/zero']) {
      put(() => symlinkSync(target, config));
      expect(() => readAnsibleConfig(checkout, home)).toThrow(
        'The configuration ansible.cfg is outside the repository.',
      );
    }
    put(() => mkdirSync(config));
    expect(() => readAnsibleConfig(checkout, home)).toThrow(
      'The configuration ansible.cfg cannot be read: it is not a file.',
    );
    const params = { path: 'ansible.cfg', detail: 'it is not a file', detail_code: 'not_file' };
    expect(() => readAnsibleConfig(checkout, home)).toThrow(
      expect.objectContaining({ endReason: { code: 'config.unreadable', params } }),
    );
    rmSync(config, { recursive: true });
    put(() => writeFileSync(config, `#${' '.repeat(1024 * 1024)}`));
    expect(() => readAnsibleConfig(checkout, home)).toThrow('it is longer than 1 MB');
    put(() => symlinkSync('nowhere', config));
    expect(readAnsibleConfig(checkout, home)).toEqual(NOTHING);
    // The home folder belongs to the run user, so an earlier playbook may have written any file there.
    symlinkSync('/dev/zero', join(home, '.ansible.cfg'));
    expect(() => readAnsibleConfig(checkout, home)).toThrow('.ansible.cfg cannot be read: it is not a file');
    rmSync(folder, { recursive: true });
  });
});

describe('variables', () => {
  it('are marked as unsafe data at every leaf', () => {
    expect(asData({ a: '{{ x }}', b: [1, true, null, { c: '' }] })).toBe(
      '{? "a" : !unsafe "{{ x }}", ? "b" : [1, true, null, {? "c" : !unsafe ""}]}',
    );
    expect(asData('é\u0000\u0085\u2028\ufeff🚦')).toBe('!unsafe "\\u00e9\\u0000\\u0085\\u2028\\ufeff\\U0001f6a6"');
    expect([1e21, -1.5e-9, -3, Number.NaN].map(asData)).toEqual(['1.0e+21', '-1.5e-9', '-3', 'null']);
  });
});
