import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

interface Listed {
  readonly number: number;
  readonly name: string;
  readonly username: string;
}

const makeAccount = async (admin: Client, input: object = {}) => {
  const made = await admin.post('/users/service', { name: 'Nightly', username: 'nightly', ...input });
  expect(made.statusCode, made.body).toBe(201);
  return made.json<{ id: number }>();
};

describeOneDatabase('a service account', (makeLocation) => {
  it('acts as a member of projects with tokens that an admin creates and revokes', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, projectId, template } = await sampleProject(admin);
    const account = await makeAccount(admin);
    expect(account).toMatchObject({ service: true, email: '', admin: false, second_factor: 'off' });
    expect((await admin.post(`${base}/users`, { user_id: account.id, role: 'task_runner' })).statusCode).toBe(204);
    const limits = { name: 'pipeline', scopes: ['run'], projects: [projectId] };
    const made = await admin.post(`/users/${account.id}/tokens`, limits);
    expect(made.json()).toMatchObject({ user_id: account.id, scopes: ['run'], projects: [{ name: 'Sample' }] });
    const headers = { authorization: `Bearer ${made.json<{ token: string }>().token}` };
    const start = async () =>
      server.anonymous.send({
        ...{ method: 'POST', url: `/api${base}/tasks`, headers },
        payload: { template_id: await template() },
      });
    expect((await start()).statusCode).toBe(201);
    const [listed] = (await admin.get('/tokens')).json<Listed[]>();
    expect(listed).toMatchObject({ name: 'pipeline', username: 'nightly', service: true, last_address: '127.0.0.1' });
    expect((await admin.del(`/tokens/${listed?.number}`)).statusCode).toBe(204);
    expect((await start()).statusCode).toBe(401);
    expect((await admin.del(`/tokens/${listed?.number}`)).statusCode).toBe(404);
    const events = (await admin.get('/events/last')).json<{ description: string }[]>();
    expect(events.map(({ description }) => description)).toEqual(
      expect.arrayContaining([
        'API token pipeline of nightly revoked',
        'API token pipeline of nightly created',
        'Service account nightly created',
      ]),
    );
  });

  it('[S1] can sign in by no way, and never gets one', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { id } = await makeAccount(admin);
    for (const password of ['nightly', 'some password', ' '])
      expect((await server.anonymous.post('/auth/login', { auth: 'nightly', password })).statusCode).toBe(401);
    for (const [field, change] of [
      ['password', { password: 'a long password', current_password: 'x' }],
      ['email', { email: 'nightly@example.com' }],
      ['external', { external: true }],
      ['email_proven', { email_proven: false }],
    ] as const) {
      const refused = (await admin.put(`/users/${id}`, change)).json<{ field_codes: object }>();
      expect(refused.field_codes, field).toEqual({ [field]: { code: 'field.service_account' } });
    }
    const password = await admin.post(`/users/${id}/password`, { password: 'a long password' });
    expect(password.json()).toMatchObject({ field_codes: { password: { code: 'field.service_account' } } });
    expect((await admin.put(`/users/${id}`, { name: 'Nightly run', email: '', service: true })).statusCode).toBe(204);
    expect((await admin.get(`/users/${id}`)).json()).toMatchObject({ name: 'Nightly run', service: true });
  });

  it('is the only user for whom an admin creates tokens, and never with a token', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { id } = await makeAccount(admin, { admin: true });
    const person = await addMember(server, 'ana');
    const ana = (await person.get('/user')).json<{ id: number }>().id;
    const refused = await admin.post(`/users/${ana}/tokens`, {});
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict.service_account_needed']);
    const { token } = (await admin.post(`/users/${id}/tokens`, {})).json<{ token: string }>();
    const byToken = await server.anonymous.send({
      ...{ method: 'POST', url: `/api/users/${id}/tokens`, payload: {} },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(byToken.json().code).toBe('not_permitted.api_token');
    await person.post('/user/tokens', { name: 'By hand' });
    const names = async (query: string) =>
      (await admin.get(`/tokens${query}`)).json<Listed[]>().map(({ username }) => username);
    expect(await names('?sort=username')).toEqual(['ana', 'nightly']);
    expect(await names('?sort=username&order=desc')).toEqual(['nightly', 'ana']);
  });
});
