import { expect, it } from 'vitest';
import { describeOneEmptyDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { ADMIN_PASSWORD, startTestServer } from '../../testing/test-server.ts';

const ANA = { name: 'Ana', username: 'ana', email: 'ana@example.com', password: 'first password' };

const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const made = async (body: object): Promise<number> => {
    const answer = await admin.post('/users', body);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ id: number }>().id;
  };
  return { server, admin, made };
};

describeOneEmptyDatabase('the owner of an account', (makeLocation) => {
  const PROOF = { current_password: ANA.password };

  it('must enter the current password to set a new password or email address', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    const id = await made(ANA);
    const ana = await server.signIn('ana', ANA.password);
    const missing = { fields: { current_password: 'is required' } };
    const wrong = { fields: { current_password: 'The current password is wrong.' } };
    const password = 'another password';
    for (const change of [{ password }, { email: 'new@example.com' }]) {
      expect((await ana.put(`/users/${id}`, change)).json()).toMatchObject(missing);
      expect((await ana.put(`/users/${id}`, { ...change, current_password: 'x' })).json()).toMatchObject(wrong);
    }
    expect((await ana.post(`/users/${id}/password`, { password })).json()).toMatchObject(missing);
    expect((await ana.post(`/users/${id}/password`, { password, current_password: 'x' })).json()).toMatchObject(wrong);
    // An admin sends their own current password, not that of the user.
    expect((await admin.post(`/users/${id}/password`, { password })).json()).toMatchObject(missing);
    expect((await admin.post(`/users/${id}/password`, { password, ...PROOF })).json()).toMatchObject(wrong);
    expect((await ana.put(`/users/${id}`, { name: 'Anna', email: ANA.email })).statusCode).toBe(204);
    expect((await ana.put(`/users/${id}`, { email: 'new@example.com', ...PROOF })).statusCode).toBe(204);
    expect((await ana.post(`/users/${id}/password`, { password, ...PROOF })).statusCode).toBe(204);
    for (let n = 0; n < 5; n++) await ana.post(`/users/${id}/password`, { password, current_password: `x${n}` });
    const blocked = await ana.post(`/users/${id}/password`, { password: 'third password', current_password: password });
    expect(blocked.statusCode).toBe(429);
  });

  it('[S8] cannot lose the account to an API token, and a new password revokes the tokens by default', async () => {
    const { server, made } = await setUp(makeLocation);
    const id = await made(ANA);
    const ana = await server.signIn('ana', ANA.password);
    const newToken = async (): Promise<string> => (await ana.post('/user/tokens', {})).json<{ token: string }>().token;
    const by = (token: string, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
      server.anonymous.send({
        method,
        url: `/api${url}`,
        headers: { authorization: `Bearer ${token}` },
        ...(payload === undefined ? {} : { payload }),
      });
    const stolen = await newToken();
    const taken = { ...PROOF, password: 'of the thief' };
    // An API token is refused even with the right password.
    const attack = [
      await by(stolen, 'POST', `/users/${id}/password`, taken),
      await by(stolen, 'PUT', `/users/${id}`, taken),
      await by(stolen, 'PUT', `/users/${id}`, { ...PROOF, email: 'thief@example.com' }),
      await by(stolen, 'POST', '/user/second-factor', PROOF),
      await by(stolen, 'POST', '/user/tokens', { name: 'another', ...PROOF }),
    ];
    expect(attack.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(403));
    expect((await by(stolen, 'PUT', `/users/${id}`, { name: 'Still Ana' })).statusCode).toBe(204);
    await ana.post(`/users/${id}/password`, { ...PROOF, password: 'second password', end_tokens: false });
    expect((await by(stolen, 'GET', '/user')).statusCode).toBe(200);
    await ana.post(`/users/${id}/password`, { current_password: 'second password', password: 'third password' });
    expect((await by(stolen, 'GET', '/user')).statusCode).toBe(401);
  });

  it('creates API tokens with the current password or within 15 minutes of the sign-in', async () => {
    const clock = new TestClock('2026-11-23T10:00:00.000Z');
    const server = await startTestServer(await makeLocation(), {}, clock);
    const admin = await server.signIn();
    expect((await admin.post('/user/tokens', {})).statusCode).toBe(201);
    clock.pass(15 * 60_000);
    const later = await admin.post('/user/tokens', {});
    expect([later.statusCode, later.json()]).toMatchObject([400, { fields: { current_password: 'is required' } }]);
    expect((await admin.post('/user/tokens', { current_password: ADMIN_PASSWORD })).statusCode).toBe(201);
  });

  it('needs a sign-in within 15 minutes instead, if there is no password on this server', async () => {
    const clock = new TestClock('2026-11-23T10:00:00.000Z');
    const server = await startTestServer(await makeLocation(), {}, clock);
    const admin = await server.signIn();
    const { database } = server.storage;
    await database.autocommit.updateTable('users').set({ external: 1 }).execute();
    expect((await admin.post('/user/tokens', {})).statusCode).toBe(201);
    clock.pass(15 * 60_000);
    const later = await admin.post('/user/tokens', { current_password: ADMIN_PASSWORD });
    expect([later.statusCode, later.json()]).toMatchObject([403, { error: expect.stringContaining('15 minutes') }]);
  });
});

describeOneEmptyDatabase('a new password', (makeLocation) => {
  it('has at least 8 characters, and is neither the name of its user nor a common password', async () => {
    const { server, admin, made } = await setUp(makeLocation);
    const id = await made(ANA);
    const ana = await server.signIn('ana', ANA.password);
    const user = { name: 'Bo', username: 'bo.longname', email: 'bo@example.com' };
    const weak = [
      'seven77',
      '\u{1F511}\u{1F511}\u{1F511}\u{1F511}',
      'Bo.Longname',
      'BO@example.com',
      'Password1',
      ' 12345678',
    ];
    for (const password of weak) {
      const answer = await admin.post('/users', { ...user, password });
      expect([answer.statusCode, answer.json()], password).toMatchObject([
        400,
        { fields: { password: expect.any(String) } },
      ]);
    }
    await made({ ...user, password: 'eight ch' });
    for (const password of ['short', 'qwertyuiop', ANA.email]) {
      const body = { password, current_password: ANA.password };
      expect((await ana.post(`/users/${id}/password`, body)).statusCode, password).toBe(400);
      expect((await ana.put(`/users/${id}`, body)).statusCode, password).toBe(400);
    }
    await expect(startTestServer(await makeLocation(), { SIGNALBOX_ADMIN_PASSWORD: 'admin123' })).rejects.toThrow(
      'SIGNALBOX_ADMIN_PASSWORD is one of the most common passwords: choose another one.',
    );
  });
});
