import type { Environment, Inventory, Key, Repository } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { NO_SECRET } from '../../testing/sample.ts';
import { environmentBody, environmentProblems, newEnvironmentValues } from './environment-values.ts';
import { inventoryBody, inventoryProblems, newInventoryValues } from './inventory-values.ts';
import { keyBody, keyChange, keyProblems, newKeyValues } from './key-values.ts';
import {
  newRepositoryValues,
  repositoryBody,
  repositoryProblems,
  type UrlType,
  urlType,
  withUrlType,
} from './repository-values.ts';

const wrong = (problems: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(problems).filter((one): one is [string, string] => one[1] !== undefined));

describe('the values of the key form', () => {
  const stored: Key = { id: 1, project_id: 1, name: 'deploy', type: 'ssh', ...NO_SECRET };

  it('require a secret for a new key, and for a stored key only when it is replaced', () => {
    expect(wrong(keyProblems(newKeyValues(undefined), undefined))).toEqual({
      name: 'form.nameRequired',
      private_key: 'keys.privateKeyRequired',
    });
    const password = { ...newKeyValues(undefined), name: 'x', type: 'login_password' as const };
    expect(wrong(keyProblems(password, undefined))).toEqual({ password: 'keys.passwordRequired' });
    expect(wrong(keyProblems(newKeyValues(stored), stored))).toEqual({});
    expect(wrong(keyProblems({ ...newKeyValues(stored), override_secret: true }, stored))).toEqual({
      private_key: 'keys.privateKeyRequired',
    });
    expect(wrong(keyProblems({ ...newKeyValues(stored), type: 'none' }, stored))).toEqual({
      override_secret: 'keys.typeNeedsSecret',
    });
  });

  it('give a stored key of the type none its first secret, without a choice to replace one', () => {
    const none: Key = { ...stored, type: 'none' };
    const values = { ...newKeyValues(none), type: 'ssh' as const };
    expect(wrong(keyProblems(values, none))).toEqual({ private_key: 'keys.privateKeyRequired' });
    expect(keyChange({ ...values, private_key: 'k' }, none)).toMatchObject({
      ...{ type: 'ssh', override_secret: true },
      ssh: { private_key: 'k' },
    });
    expect(keyChange(newKeyValues(none), none)).toEqual({ name: 'deploy', type: 'none', override_secret: false });
  });

  it('contain the login of a stored key, which can be changed without the secret', () => {
    const key: Key = { ...stored, ssh: { ...NO_SECRET.ssh, login: 'deploy' } };
    const values = newKeyValues(key);
    expect(values.login).toBe('deploy');
    const unchanged = { name: 'deploy', type: 'ssh', override_secret: false };
    expect(keyChange(values, key)).toEqual(unchanged);
    expect(keyChange({ ...values, login: 'root' }, key)).toEqual({ ...unchanged, ssh: { login: 'root' } });
    expect(keyChange({ ...values, login: '' }, key)).toEqual({ ...unchanged, ssh: { login: '' } });
    const replaced = { ...values, override_secret: true, private_key: 'k' };
    expect(keyChange(replaced, key)).toMatchObject({ ssh: { login: 'deploy', private_key: 'k' } });
  });

  it('are sent with the fields of their type only', () => {
    const all = {
      ...newKeyValues(undefined),
      name: ' a ',
      login: 'l',
      password: 'p',
      private_key: 'k',
      passphrase: 's',
    };
    expect(keyBody({ ...all, type: 'ssh' })).toEqual({
      name: 'a',
      type: 'ssh',
      override_secret: false,
      ssh: { login: 'l', private_key: 'k', passphrase: 's' },
    });
    expect(keyBody({ ...all, type: 'login_password' })).toEqual({
      name: 'a',
      type: 'login_password',
      override_secret: false,
      login_password: { login: 'l', password: 'p' },
    });
    expect(keyBody({ ...all, type: 'none' })).toEqual({ name: 'a', type: 'none', override_secret: false });
  });
});

describe('the values of the inventory form', () => {
  const stored: Inventory = {
    id: 1,
    project_id: 1,
    name: 'prod',
    type: 'file',
    inventory: 'hosts.yml',
    ssh_key_id: 2,
    become_key_id: null,
    runner_tags: ['dmz'],
  };

  it('require credentials, and a path for a file', () => {
    expect(wrong(inventoryProblems(newInventoryValues(undefined)))).toEqual({
      name: 'form.nameRequired',
      ssh_key_id: 'inventory.credentialsRequired',
    });
    expect(wrong(inventoryProblems({ ...newInventoryValues(stored), inventory: ' ' }))).toEqual({
      inventory: 'inventory.pathRequired',
    });
  });

  it('are sent as they are shown', () => {
    const { id: _id, project_id: _project, ...body } = stored;
    expect(inventoryBody(newInventoryValues(stored))).toEqual(body);
    expect(inventoryBody({ ...newInventoryValues(stored), become_key_id: '7' }).become_key_id).toBe(7);
  });
});

describe('the URL of a repository', () => {
  it.each<[string, UrlType | undefined]>([
    ['/srv/playbooks', 'local'],
    ['git://host/a.git', 'git'],
    ['file:///srv/a.git', 'file'],
    ['ssh://git@host/a.git', 'ssh'],
    ['https://host/a.git', 'https'],
    ['HTTPS://host/a.git', 'https'],
    ['git@host:a.git', 'ssh'],
    ['host:a.git', 'ssh'],
    ['http://host/a.git', undefined],
    ['ftp://host/a', undefined],
    ['ext::sh -c id', undefined],
    ['-oProxyCommand=id', undefined],
  ])('%s is of the type %s', (url, type) => {
    expect(urlType(url)).toBe(type);
  });

  it.each<[string, UrlType, string]>([
    ['https://host/a.git', 'ssh', 'ssh://host/a.git'],
    ['host/a.git', 'https', 'https://host/a.git'],
    ['https://host/a.git', 'local', '/host/a.git'],
    ['/srv/a', 'file', 'file:///srv/a'],
    ['file:///srv/a', 'local', '/srv/a'],
    ['', 'git', 'git://'],
  ])('%s converted to the type %s is %s', (url, type, made) => {
    expect(withUrlType(url, type)).toBe(made);
  });

  it('requires a branch unless it is a folder', () => {
    const values = { ...newRepositoryValues(undefined), name: 'a', ssh_key_id: '1' };
    expect(wrong(repositoryProblems(values))).toEqual({
      git_url: 'repositories.urlRequired',
      git_branch: 'repositories.branchRequired',
    });
    expect(wrong(repositoryProblems({ ...values, git_url: 'ftp://a', git_branch: 'main' }))).toEqual({
      git_url: 'repositories.incorrectUrl',
    });
    expect(wrong(repositoryProblems({ ...values, git_url: '/srv/a' }))).toEqual({});
    expect(wrong(repositoryProblems({ ...values, git_url: '/srv/a', ssh_key_id: null }))).toEqual({
      ssh_key_id: 'repositories.keyRequired',
    });
  });

  it('is sent unchanged', () => {
    const stored: Repository = { id: 1, project_id: 1, name: 'a', git_url: '/srv/a', git_branch: '', ssh_key_id: 3 };
    const { id: _id, project_id: _project, ...body } = stored;
    expect(repositoryBody(newRepositoryValues(stored))).toEqual(body);
  });
});

describe('the values of the environment form', () => {
  const stored: Environment = {
    id: 1,
    project_id: 1,
    name: 'prod',
    json: '{"a": 1}',
    env: '{}',
    secrets: [
      { id: 5, name: 'token', type: 'var' },
      { id: 6, name: 'TOKEN', type: 'env' },
    ],
  };
  const values = newEnvironmentValues(stored);

  it('are refused if they are not a JSON object', () => {
    expect(wrong(environmentProblems({ ...values, json: '[1]', env: '{' }))).toEqual({
      json: 'code.object',
      env: 'code.json',
    });
    expect(wrong(environmentProblems({ ...values, json: '', env: ' ' }))).toEqual({});
  });

  it('are refused for a secret variable without a name or a value, or with a repeated name', () => {
    const add = (name: string, secret: string, type: 'var' | 'env' = 'var') =>
      environmentProblems({ ...values, secrets: [...values.secrets, { key: -1, id: null, name, type, secret }] })
        .secrets;
    expect(add('', 'x')).toBe('environment.secretName');
    expect(add('a b', 'x')).toBe('environment.secretName');
    expect(add('b', '')).toBe('environment.secretValue');
    expect(add('token', 'x')).toBe('environment.secretTwice');
    expect(add('TOKEN', 'x')).toBeUndefined();
  });

  it('are sent with new, changed and deleted secrets, and with secret values only if they were typed', () => {
    const [first] = values.secrets;
    if (!first) throw new Error('no secret');
    const secrets = [
      { ...first, name: 'renamed' },
      { key: -1, id: null, name: 'new', type: 'var' as const, secret: 'x' },
    ];
    expect(environmentBody({ ...values, json: ' ', secrets }, stored)).toEqual({
      name: 'prod',
      json: '{}',
      env: '{}',
      secrets: [
        { id: 6, operation: 'delete' },
        { id: 5, name: 'renamed', type: 'var', operation: 'update' },
        { name: 'new', type: 'var', secret: 'x', operation: 'create' },
      ],
    });
  });
});
