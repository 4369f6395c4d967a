import { insertUser, userRow } from '../features/users/user.store.ts';
import { quickHash } from './quick-hash.ts';
import type { Client, TestServer } from './test-server.ts';

/** Creates a project with one object of each kind through the API. */
export const sampleProject = async (client: Client, name = 'Sample', more: Record<string, unknown> = {}) => {
  const create = async (path: string, body: object): Promise<number> => {
    const answer = await client.post(path, body);
    if (answer.statusCode !== 201) throw new Error(`${path}: ${answer.body}`);
    return answer.json<{ id: number }>().id;
  };
  const projectId = await create('/projects', { name, ...more });
  const base = `/project/${projectId}`;
  const keyId = await create(`${base}/keys`, { name: 'None', type: 'none' });
  const repositoryId = await create(`${base}/repositories`, {
    name: 'Playbooks',
    git_url: 'https://git.example/playbooks.git',
    git_branch: 'main',
    ssh_key_id: keyId,
  });
  const inventoryId = await create(`${base}/inventory`, {
    name: 'Hosts',
    type: 'static',
    inventory: 'web-01',
    ssh_key_id: keyId,
  });
  const environmentId = await create(`${base}/environment`, { name: 'Empty', json: '{}', env: '{}' });
  const template = (input: object = {}): Promise<number> =>
    create(`${base}/templates`, {
      name: `Template ${Math.random().toString(36).slice(2)}`,
      playbook: 'site.yml',
      inventory_id: inventoryId,
      environment_id: environmentId,
      repository_id: repositoryId,
      ...input,
    });
  return { projectId, base, keyId, repositoryId, inventoryId, environmentId, template };
};

/** Creates a signed-in user with a role in a project. */
export const addMember = async (
  server: TestServer,
  username: string,
  membership?: { readonly projectId: number; readonly role: 'owner' | 'manager' | 'task_runner' | 'guest' },
): Promise<Client> => {
  const password = `password of ${username}`;
  const user = { username, name: username, email: `${username}@example.com`, password, admin: false };
  const row = await userRow(user, new Date(), quickHash);
  await server.storage.database.write(async (tx) => {
    const id = await insertUser(tx, row);
    if (membership)
      await tx
        .insertInto('project_user')
        .values({ project_id: membership.projectId, user_id: id, role: membership.role })
        .execute();
  });
  return await server.signIn(username, password);
};
