import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/databases.ts';
import { ADMIN_PASSWORD, startTestServer } from '../../testing/test-server.ts';

describeEachDatabase('signing in', (makePlace) => {
  it('takes the username or the e-mail address in any case, and sets both cookies', async () => {
    const { anonymous } = await startTestServer(await makePlace(), { SIGNALBOX_ADMIN_EMAIL: 'Root@Example.com' });
    for (const auth of ['admin', 'ADMIN', 'root@example.COM']) {
      const answer = await anonymous.post('/auth/login', { auth, password: ADMIN_PASSWORD });
      expect(answer.statusCode, answer.body).toBe(204);
      expect(answer.cookies.find(({ name }) => name === 'signalbox_session')).toMatchObject({
        httpOnly: true,
        sameSite: 'Lax',
      });
      expect(answer.cookies.find(({ name }) => name === 'signalbox_signed_in')).not.toHaveProperty('httpOnly');
    }
  });

  it('[S9] answers known and unknown accounts alike, and slows guessing down', async () => {
    const { anonymous } = await startTestServer(await makePlace());
    const attempt = (auth: string) => anonymous.post('/auth/login', { auth, password: 'wrong' });
    const known = await attempt('admin');
    const unknown = await attempt('nobody');
    expect(known.statusCode).toBe(401);
    expect(known.json()).toEqual(unknown.json());
    for (let n = 0; n < 4; n++) expect((await attempt('admin')).statusCode).toBe(401);
    expect((await attempt('admin')).statusCode).toBe(429);
    // Blocked means blocked, with the right password too; another account from there is not.
    expect((await anonymous.post('/auth/login', { auth: 'admin', password: ADMIN_PASSWORD })).statusCode).toBe(429);
    expect((await attempt('nobody')).statusCode).toBe(401);
  });

  it('stores neither password nor token', async () => {
    const { signIn, storage } = await startTestServer(await makePlace());
    const { cookie } = await signIn();
    const token = /signalbox_session=([^;]+)/.exec(cookie)?.[1];
    expect(token).toBeDefined();
    const stored = JSON.stringify([
      await storage.database.read.selectFrom('session').selectAll().execute(),
      await storage.database.read.selectFrom('users').selectAll().execute(),
      await storage.database.read.selectFrom('event').selectAll().execute(),
    ]);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(ADMIN_PASSWORD);
  });
});
