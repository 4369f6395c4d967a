import { once } from 'node:events';
import { request } from 'node:http';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { describeOneDatabase, describeRemoteDatabase } from '../../testing/database/databases.ts';
import { lockWaits } from '../../testing/database/lock-waits.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { ADMIN_PASSWORD, type Client, startTestServer, type TestServer } from '../../testing/test-server.ts';

/** Sends the head of a POST and waits until the server has accepted it. `finish` sends the body. */
const begin = async (server: TestServer, client: Client, path: string, body: object) => {
  const text = JSON.stringify(body);
  const call = request(`${server.baseUrl}/api${path}`, {
    method: 'POST',
    headers: {
      cookie: client.cookie,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      expect: '100-continue',
    },
  });
  call.flushHeaders();
  await once(call, 'continue');
  call.write(text.slice(0, 1));
  // The server checks requests in order: once it has answered another one, it has accepted this one.
  await server.anonymous.get('/ping');
  return async (): Promise<number> => {
    const answered = once(call, 'response') as Promise<[{ statusCode: number; resume(): void }]>;
    call.end(text.slice(1));
    const [answer] = await answered;
    answer.resume();
    return answer.statusCode;
  };
};

describeOneDatabase('[S8] a call whose body is still arriving', (makeLocation) => {
  it('is refused when its caller loses the session or the right meanwhile', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const user = async (name: string, more: object = {}): Promise<number> => {
      const body = { name, username: name, email: `${name}@example.com`, password: 'a password', ...more };
      return (await admin.post('/users', body)).json<{ id: number }>().id;
    };
    const bob = { name: 'Bob', username: 'bob', email: 'bob@example.com', password: 'a password', admin: true };
    const losses: [status: number, lose: (id: number, client: Client) => Promise<{ statusCode: number }>][] = [
      [401, (_id, client) => client.post('/auth/logout')],
      [
        401,
        (id) => admin.post(`/users/${id}/password`, { password: 'another password', current_password: ADMIN_PASSWORD }),
      ],
      [401, (id) => admin.del(`/users/${id}`)],
      [403, (id) => admin.put(`/users/${id}`, { admin: false })],
    ];
    for (const [index, [status, lose]] of losses.entries()) {
      const id = await user(`helper${index}`, { admin: true });
      const client = await server.signIn(`helper${index}`, 'a password');
      const finish = await begin(server, client, '/users', bob);
      expect((await lose(id, client)).statusCode).toBe(204);
      expect(await finish(), String(index)).toBe(status);
    }
    expect((await admin.get('/users')).body).not.toContain('bob');
  });
});

describe('[S12] a deleted object', () => {
  describeRemoteDatabase('a change during another call', (makeLocation) => {
    it('causes a conflict for a call that needs it, and no error of the server', async () => {
      const server = await startTestServer(await makeLocation());
      const admin = await server.signIn();
      const { base, projectId, template } = await sampleProject(admin);
      const template_id = await template();
      const ann = await addMember(server, 'ann', { projectId, role: 'task_runner' });
      const annId = (await ann.get('/user')).json<{ id: number }>().id;
      const { start, deleted } = await server.storage.database.write(async (tx) => {
        await tx
          .updateTable('template')
          .set((eb) => ({ launches: eb.ref('launches') }))
          .execute();
        const starting = ann.post(`${base}/tasks`, { template_id });
        await lockWaits(server.storage.database);
        return { start: starting, deleted: await admin.del(`/users/${annId}`) };
      });
      expect(deleted.statusCode).toBe(204);
      const answer = await start;
      expect(answer.statusCode, answer.body).toBe(409);
      expect(answer.json()).toMatchObject({ code: expect.stringMatching(/^conflict\./) });
    });

    it('leaves no project without an owner who is creating one', async () => {
      const server = await startTestServer(await makeLocation());
      const admin = await server.signIn();
      const body = {
        name: 'Ann',
        username: 'ann',
        email: 'a@example.com',
        password: 'a password',
        can_create_project: true,
      };
      const { id } = (await admin.post('/users', body)).json<{ id: number }>();
      const ann = await server.signIn('ann', 'a password');
      const { create, remove } = await server.storage.database.write(async (tx) => {
        // Both write their event last. By then each has checked what the other changes.
        await sql`lock table event in share row exclusive mode`.execute(tx);
        const creating = ann.post('/projects', { name: 'Hers' });
        await lockWaits(server.storage.database);
        const removing = admin.del(`/users/${id}`);
        await lockWaits(server.storage.database, 2);
        return { create: creating, remove: removing };
      });
      expect((await create).statusCode).toBe(201);
      expect((await remove).statusCode).toBe(409);
    });

    it('keeps its type while another object needs it', async () => {
      const server = await startTestServer(await makeLocation());
      const admin = await server.signIn();
      const sample = await sampleProject(admin);
      const { base, keyId } = sample;
      const password = { type: 'login_password', login_password: { password: 'p' } };
      const key = async (name: string) =>
        (await admin.post(`${base}/keys`, { name, ...password })).json<{ id: number }>().id;
      const [become, vault] = [await key('become'), await key('vault')];
      const build = await sample.template({ type: 'build', start_version: '1' });
      const template = { ...(await admin.get(`${base}/templates/${build}`)).json(), name: 'New', type: '' };
      const none = { type: 'none', override_secret: true };
      for (const [path, change, needed, body] of [
        [
          `keys/${become}`,
          none,
          'inventory',
          { name: 'New', type: 'static', ssh_key_id: keyId, become_key_id: become },
        ],
        [`keys/${vault}`, none, 'templates', { ...template, vault_key_id: vault }],
        [`templates/${build}`, { type: '' }, 'templates', { ...template, type: 'deploy', build_template_id: build }],
      ] as const) {
        const { changing, creating } = await server.storage.database.write(async (tx) => {
          await sql`lock table event in share row exclusive mode`.execute(tx);
          const first = admin.put(`${base}/${path}`, change);
          await lockWaits(server.storage.database);
          const second = admin.post(`${base}/${needed}`, body);
          await lockWaits(server.storage.database, 2);
          return { changing: first, creating: second };
        });
        expect((await changing).statusCode, path).toBe(204);
        const refused = await creating;
        expect(refused.statusCode, `${path}: ${refused.body}`).toBe(400);
      }
    });

    it('keeps a project complete when something is added to it', async () => {
      const server = await startTestServer(await makeLocation());
      const admin = await server.signIn();
      const { base, projectId, keyId } = await sampleProject(admin);
      const inventory = {
        project_id: projectId,
        name: 'New',
        type: 'static',
        inventory: '',
        ssh_key_id: keyId,
      } as const;
      const deletion = await server.storage.database.write(async (tx) => {
        await tx
          .insertInto('inventory')
          .values({ ...inventory, become_key_id: null })
          .execute();
        const deleting = admin.del(base);
        await lockWaits(server.storage.database);
        return { deleting };
      });
      const answer = await deletion.deleting;
      expect(answer.statusCode, answer.body).toBe(409);
      expect((await admin.get(`${base}/inventory`)).json<object[]>()).toHaveLength(2);
      expect((await admin.del(base)).statusCode).toBe(204);
    });
  });
});
