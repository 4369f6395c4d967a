import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

describeEachDatabase('a job', (makeLocation) => {
  it('contains the values of its task, template, inventory and environment, and the keys that they refer to', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const { base, projectId, repositoryId, template } = await sampleProject(admin);
    const create = async (path: string, body: object) =>
      (await admin.post(`${base}/${path}`, body)).json<{ id: number }>().id;
    const loginKey = (name: string) =>
      create('keys', {
        name,
        type: 'login_password',
        login_password: { login: `${name}-user`, password: `${name}-word` },
      });
    const [login, become, vault] = [await loginKey('login'), await loginKey('become'), await loginKey('vault')];
    const inventory_id = await create('inventory', {
      name: 'In the repository',
      type: 'file',
      inventory: 'hosts/production',
      ssh_key_id: login,
      become_key_id: become,
    });
    const environment_id = await create('environment', {
      name: 'Full',
      json: '{"region":{"name":"north"},"count":3}',
      env: '{"HTTP_PROXY":"http://proxy:3128"}',
      secrets: [
        { operation: 'create', type: 'var', name: 'api_key', secret: 'of-ansible' },
        { operation: 'create', type: 'env', name: 'API_TOKEN', secret: 'of-the-process' },
      ],
    });
    const template_id = await template({
      name: 'Everything',
      inventory_id,
      environment_id,
      playbook: 'plays/all.yml',
      vault_key_id: vault,
      vaults: [{ name: 'prod', vault_key_id: become }],
      options: { tags: ['base'], skip_tags: ['slow'], verbosity: 2, forks: 9 },
      arguments: '["--forks=3","--tags=web"]',
      allow_override_args_in_task: true,
      max_duration: 90,
      survey_vars: [
        { name: 'version' },
        { name: 'hosts', type: 'multiple', values: [{ value: 'a' }, { value: 'b' }] },
        { name: 'wait', type: 'decimal', default_value: '1.5' },
        { name: 'token', type: 'secret' },
      ],
    });
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    const task = {
      template_id,
      message: 'As it must be',
      environment: '{"version":"1.2","hosts":["b"],"token":"of-the-survey"}',
      arguments: '["--force-handlers"]',
      limit: 'web-*',
      commit_hash: COMMIT,
      debug: true,
      tags: ['a', 'b c'],
      dry_run: true,
      diff: true,
    };
    const launched = await admin.post(`${base}/tasks`, task);
    expect(launched.statusCode, launched.body).toBe(201);
    const { id } = launched.json<{ id: number }>();
    const { job } = await runner.receives('job');
    const access = (name: string) => ({ type: 'login_password', login: `${name}-user`, password: `${name}-word` });
    expect(job).toEqual({
      app: 'ansible',
      task_id: id,
      epoch: expect.any(Number),
      project_id: projectId,
      template_name: 'Everything',
      repository: expect.objectContaining({
        id: repositoryId,
        url: 'https://git.example/playbooks.git',
        branch: 'main',
        access: { type: 'none' },
      }),
      commit: COMMIT,
      execution_environment: { kind: 'system' },
      registry_access: { type: 'none' },
      playbook: 'plays/all.yml',
      inventory: { type: 'file', inventory: 'hosts/production', access: access('login'), become: access('become') },
      vault_password: 'vault-word',
      vault_passwords: [{ name: 'prod', password: 'become-word' }],
      extra_variables: { region: { name: 'north' }, count: 3 },
      secret_variables: { api_key: 'of-ansible', token: 'of-the-survey' },
      secret_environment: { API_TOKEN: 'of-the-process' },
      answers: { version: '1.2', hosts: ['b'], wait: 1.5 },
      task_details: expect.objectContaining({ id, username: 'admin', message: 'As it must be' }),
      process_environment: { HTTP_PROXY: 'http://proxy:3128' },
      max_duration: 90,
      arguments: ['--forks=3', '--tags=web', '--tags=a,b c', '--skip-tags=slow', '--forks=9', '--force-handlers'],
      limit: 'web-*',
      locked_hosts: null,
      debug: true,
      facts: true,
      dry_run: true,
      diff: true,
    });
  });

  it('has the inventory, the environment, the branch, the vaults and the time limit of its task', async () => {
    const location = await makeLocation();
    const server = await startTestServer(location);
    const admin = await server.signIn();
    const { base, template } = await sampleProject(admin);
    const create = async (kind: string, body: object) =>
      (await admin.post(`${base}/${kind}`, body)).json<{ id: number }>().id;
    const password = { type: 'login_password', login_password: { login: '', password: 'other-word' } };
    const key = await create('keys', { name: 'Other vault', ...password });
    const none = await create('keys', { name: 'Nothing', type: 'none' });
    const inventory_id = await create('inventory', {
      name: 'Other',
      type: 'static',
      inventory: 'other-1',
      ssh_key_id: none,
    });
    const environment_id = await create('environment', { name: 'Other', json: '{"of":"other"}' });
    const template_id = await template({
      vaults: [{ name: 'prod', vault_key_id: key }],
      prompts: {
        inventory_id: 'any',
        environment_id: 'any',
        git_branch: 'any',
        vaults: 'any',
        max_duration: 'any',
        skip_tags: 'any',
      },
    });
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    const launched = await admin.post(`${base}/tasks`, {
      template_id,
      inventory_id,
      environment_id,
      git_branch: 'v2',
      vaults: [{ name: '', vault_key_id: key }],
      max_duration: 7,
      skip_tags: ['slow'],
      verbosity: 3,
    });
    expect(launched.statusCode, launched.body).toBe(201);
    const { job } = await runner.receives('job');
    expect(job).toMatchObject({
      inventory: { inventory: 'other-1' },
      extra_variables: { of: 'other' },
      repository: { branch: 'v2' },
      vault_password: 'other-word',
      vault_passwords: [],
      max_duration: 7,
      arguments: ['--skip-tags=slow', '-vvv'],
      debug: false,
    });
  });
});
