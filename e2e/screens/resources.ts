import { generateKeyPairSync } from 'node:crypto';
import type { BodyInput, RouteTable } from '@signalbox/contract';
import type { ApiClient } from '../../tooling/product/api-client.ts';
import { LOCAL_HOSTS } from './playbooks.ts';

const LOCAL = `[web]
${LOCAL_HOSTS.slice(0, 3).join('\n')}

[datenbanken]
${LOCAL_HOSTS.slice(3, 5).join('\n')}

[lastverteiler]
${LOCAL_HOSTS[5]}

[all:vars]
ansible_connection=local
ansible_python_interpreter="{{ ansible_playbook_python }}"
`;

const YAML = `all:
  children:
    web:
      hosts:
        anwendung-01.rz-nord.example:
          http_port: 8080
        anwendung-02.rz-nord.example:
          http_port: 8080
`;

/** Keys, environments, inventories and repositories of every type. Returns their ids. */
export const seedResources = async (client: ApiClient, project: number, repository: string) => {
  const params = { project_id: project };
  const key = async (body: BodyInput<RouteTable['createKey']>) => (await client.call('createKey', { params, body })).id;
  const private_key = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;
  const keys = {
    none: await key({ name: 'Ohne', type: 'none' }),
    ssh: await key({
      name: 'Bereitstellungsschlüssel Anwendungsserver',
      type: 'ssh',
      ssh: { login: 'deploy', private_key },
    }),
    password: await key({
      name: 'Administratorkennwort der Datenbankserver',
      type: 'login_password',
      login_password: { login: 'root', password: 'long enough to mask' },
    }),
    unused: await key({
      name: 'Altes Konto',
      type: 'login_password',
      login_password: { password: 'forgotten long ago' },
    }),
  };
  const environment = async (body: BodyInput<RouteTable['createEnvironment']>) =>
    (await client.call('createEnvironment', { params, body })).id;
  const environments = {
    full: await environment({
      name: 'Produktionsumgebung',
      json: JSON.stringify({ release_channel: 'stable', datacenter: 'rz-sued', replicas: 3 }, undefined, 2),
      env: JSON.stringify({ HTTPS_PROXY: 'http://proxy.rz-sued.example:3128' }, undefined, 2),
      secrets: [
        { name: 'datenbank_kennwort', type: 'var', secret: 'a long database password' },
        { name: 'REGISTRY_TOKEN', type: 'env', secret: 'a long registry token' },
      ],
    }),
    unused: await environment({ name: 'Leer' }),
  };
  const inventory = async (body: Omit<BodyInput<RouteTable['createInventory']>, 'ssh_key_id'>) =>
    (await client.call('createInventory', { params, body: { ssh_key_id: keys.none, ...body } })).id;
  const inventories = {
    local: await inventory({ name: 'Rechenzentrum Süd', type: 'static', inventory: LOCAL }),
    yaml: await inventory({
      name: 'Anwendungsserver in beiden Rechenzentren',
      type: 'static-yaml',
      inventory: YAML,
      become_key_id: keys.password,
    }),
    file: await inventory({
      name: 'Produktion aus dem Repository',
      type: 'file',
      inventory: 'inventories/production.ini',
    }),
  };
  const repo = async (name: string, git_url: string, git_branch: string, ssh_key_id: number) =>
    (await client.call('createRepository', { params, body: { name, git_url, git_branch, ssh_key_id } })).id;
  const repositories = {
    local: await repo('Betriebshandbuch', repository, 'main', keys.none),
    ssh: await repo(
      'Bereitstellungswerkzeuge',
      'git@git.rechenzentrum.example:betrieb/bereitstellung.git',
      'main',
      keys.ssh,
    ),
    https: await repo(
      'Gemeinsame Rollen',
      'https://git.rechenzentrum.example/betrieb/gemeinsame-rollen.git',
      'freigabe/herbst',
      keys.none,
    ),
  };
  return { keys, environments, inventories, repositories };
};
