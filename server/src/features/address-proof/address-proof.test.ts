import { expect, it } from 'vitest';
import { describeEachDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { startMailServer } from '../../testing/mail-server.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { type Client, startTestServer } from '../../testing/test-server.ts';

const PASSWORD = 'first password';
const REQUEST = '/user/email/proof';
const CONFIRM = '/user/email/confirm';
const HOUR_MS = 3_600_000;

interface Me {
  readonly id: number;
  readonly email: string;
  readonly email_proven: boolean;
}

const setUp = async (makeLocation: MakeLocation, withMail = true) => {
  const mail = await startMailServer();
  const clock = new TestClock('2026-11-23T10:00:00.000Z');
  const settings = { SIGNALBOX_URL: 'https://box.example/tools', ...(withMail ? mail.settings : {}) };
  const server = await startTestServer(await makeLocation(), settings, clock);
  const admin = await server.signIn();
  /** A user whose email address an admin has set. */
  const join = async (username: string, more: object = {}) => {
    const input = { name: username, username, email: `${username}@example.com`, password: PASSWORD };
    const { id } = (await admin.post('/users', { ...input, ...more })).json<{ id: number }>();
    const client = await server.signIn('username' in more ? String(more.username) : username, PASSWORD);
    const claim = (email: string) => client.put(`/users/${id}`, { email, current_password: PASSWORD });
    const me = async (): Promise<Me> => (await client.get('/user')).json<Me>();
    return { id, client, claim, me };
  };
  const tokenIn = (index: number): string => /#(\S+)/.exec(mail.mails[index]?.text ?? '')?.[1] ?? 'none';
  /** Requests a mail and returns the token in it. */
  const mailedToken = async (client: Client): Promise<string> => {
    const answer = await client.post(REQUEST);
    expect(answer.json(), answer.body).toEqual({ sent: true, fault: null, detail: '' });
    return tokenIn(mail.mails.length - 1);
  };
  return { server, admin, clock, mail, join, mailedToken };
};

const refused = /^This link no longer works, or another user requested it/;

describeEachDatabase('an email address', (makeLocation) => {
  it('is confirmed once by a mailed link, and can then be used to sign in', async () => {
    const { server, admin, mail, join, mailedToken } = await setUp(makeLocation);
    const ana = await join('ana', { language: 'de' });
    expect(await ana.me()).toMatchObject({ email_proven: true });
    expect((await ana.client.post(REQUEST)).json()).toMatchObject({ code: 'conflict.email_confirmed' });
    expect((await ana.claim('new@example.com')).statusCode).toBe(204);
    expect(await ana.me()).toMatchObject({ email: 'new@example.com', email_proven: false });
    const token = await mailedToken(ana.client);
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]).toMatchObject({ to: ['new@example.com'] });
    expect(mail.mails[0]?.headers.subject).toBe('E-Mail-Adresse für Signalbox bestätigen');
    expect(mail.mails[0]?.text).toContain(`https://box.example/tools/confirm-email#${token}`);
    expect(mail.mails[0]?.text).toContain('„ana“');
    const stored = await server.storage.database.read.selectFrom('address_proof').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);

    const early = await server.anonymous.post('/auth/login', { auth: 'new@example.com', password: PASSWORD });
    expect(early.statusCode).toBe(401);
    expect((await ana.client.post(CONFIRM, { token })).statusCode).toBe(204);
    expect(await ana.me()).toMatchObject({ email_proven: true });
    const signedIn = await server.anonymous.post('/auth/login', { auth: 'new@example.com', password: PASSWORD });
    expect(signedIn.statusCode).toBe(204);
    expect((await ana.client.post(CONFIRM, { token })).json().error).toMatch(refused);
    const events = (await admin.get('/events')).json<{ description: string }[]>();
    expect(events.map(({ description }) => description)).toEqual(
      expect.arrayContaining(['Confirmation mail for ana requested', 'Email address of ana confirmed']),
    );
  });

  it('is confirmed by a mail in which the username is not a link', async () => {
    const { mail, join, mailedToken } = await setUp(makeLocation);
    const username = 'admin. Locked! Unlock: https://evil.example/x';
    const eve = await join('eve', { username, email: 'eve@example.com' });
    await eve.claim('victim@example.com');
    await mailedToken(eve.client);
    const text = `${mail.mails[0]?.headers.subject}\n${mail.mails[0]?.text}`;
    expect(text).not.toMatch(/evil\.\S|:\/\/(?!box\.example\/tools)/);
    expect(text).toContain('“admin. Locked! Unlock https evil. examp…”');
    expect(text).toContain('https://box.example/tools/confirm-email#');
  });

  it('is not confirmed by another user who opens the link, nor without a session', async () => {
    const { server, join, mailedToken } = await setUp(makeLocation);
    const [eve, victim] = [await join('eve'), await join('victim', { email: 'other@example.com' })];
    await eve.claim('target@example.com');
    const token = await mailedToken(eve.client);
    expect((await victim.client.post(CONFIRM, { token })).json()).toMatchObject({ code: 'conflict.email_link' });
    expect((await server.anonymous.post(CONFIRM, { token })).statusCode).toBe(401);
    expect((await eve.me()).email_proven).toBe(false);
    for (const body of [{ token: 'x' }, { token: `${token}x` }])
      expect((await eve.client.post(CONFIRM, body)).statusCode).toBe(409);
    for (const body of [{}, { token: '' }, { token: 1 }])
      expect((await eve.client.post(CONFIRM, body)).statusCode).toBe(400);
    // Programs with an API token can do neither.
    const api = (await eve.client.post('/user/tokens', {})).json<{ token: string }>().token;
    for (const url of [REQUEST, CONFIRM]) {
      const headers = { authorization: `Bearer ${api}` };
      const answer = await server.anonymous.send({ method: 'POST', url: `/api${url}`, headers, payload: { token } });
      expect(answer.statusCode, answer.body).toBe(403);
    }
  });

  it('is not confirmed by a link that is a day old or was sent for a previous address', async () => {
    const { clock, join, mailedToken } = await setUp(makeLocation);
    const ana = await join('ana');
    await ana.claim('first@example.com');
    const first = await mailedToken(ana.client);
    await ana.claim('second@example.com');
    await ana.claim('first@example.com');
    expect((await ana.client.post(CONFIRM, { token: first })).json().error).toMatch(refused);
    const second = await mailedToken(ana.client);
    clock.step(24 * HOUR_MS);
    expect((await ana.client.post(CONFIRM, { token: second })).json().error).toMatch(refused);
    expect((await ana.client.post(CONFIRM, { token: await mailedToken(ana.client) })).statusCode).toBe(204);
  });

  it('belongs to the user who confirms it first', async () => {
    const { admin, join, mailedToken } = await setUp(makeLocation);
    const [ana, ben] = [await join('ana'), await join('ben')];
    for (const user of [ana, ben]) expect((await user.claim('shared@example.com')).statusCode).toBe(204);
    const [ofAna, ofBen] = [await mailedToken(ana.client), await mailedToken(ben.client)];
    expect((await ben.client.post(CONFIRM, { token: ofBen })).statusCode).toBe(204);
    const taken = { code: 'conflict.email_taken', error: 'There is already a user with this email address.' };
    expect((await ana.client.post(CONFIRM, { token: ofAna })).json()).toMatchObject(taken);
    expect((await ana.client.post(REQUEST)).json()).toMatchObject(taken);
    expect((await admin.put(`/users/${ana.id}`, { email_proven: true })).json()).toMatchObject(taken);
    expect((await ana.me()).email_proven).toBe(false);
  });

  it('gets at most five mails per hour', async () => {
    const { clock, mail, join, mailedToken } = await setUp(makeLocation);
    const ana = await join('ana');
    await ana.claim('new@example.com');
    for (let n = 0; n < 5; n++) await mailedToken(ana.client);
    const answer = await ana.client.post(REQUEST);
    expect(answer.statusCode).toBe(429);
    // Another address does not restart the count.
    expect((await ana.claim('newer@example.com')).statusCode).toBe(429);
    expect((await ana.client.post(REQUEST)).statusCode).toBe(429);
    expect(mail.mails).toHaveLength(5);
    clock.step(HOUR_MS);
    await mailedToken(ana.client);
  });

  it('gets no test alert before it is confirmed', async () => {
    const { admin, mail, join } = await setUp(makeLocation);
    const ana = await join('ana');
    await ana.claim('victim@example.com');
    for (let n = 0; n < 3; n++) {
      const answer = await ana.client.post('/user/alerts/test');
      expect(answer.json(), answer.body).toMatchObject({
        code: 'conflict.email_not_confirmed',
        error: expect.stringMatching(/not confirmed/),
      });
    }
    expect(mail.mails).toEqual([]);
    await admin.put(`/users/${ana.id}`, { email_proven: true });
    expect((await ana.client.post('/user/alerts/test')).json()).toMatchObject({ sent: true });
  });

  it('is revealed to belong to another user at most five times per hour and requester', async () => {
    const { clock, join } = await setUp(makeLocation);
    const [eve, ben] = [await join('eve'), await join('ben', { email: 'ben@corp.example' })];
    const taken = { code: 'conflict.email_taken', error: 'There is already a user with this email address.' };
    for (let n = 0; n < 5; n++) expect((await eve.claim('ben@corp.example')).json()).toMatchObject(taken);
    for (const email of ['ben@corp.example', 'free@corp.example'])
      expect((await eve.claim(email)).statusCode, email).toBe(429);
    expect((await ben.client.put(`/users/${ben.id}`, await ben.me())).statusCode).toBe(204);
    expect((await eve.client.put(`/users/${eve.id}`, { name: 'Eve' })).statusCode).toBe(204);
    clock.step(HOUR_MS);
    expect((await eve.claim('free@corp.example')).statusCode).toBe(204);
  });

  it('counts as revealed when a mail to it is refused because it belongs to another user', async () => {
    const { admin, join } = await setUp(makeLocation);
    const eve = await join('eve');
    await eve.claim('ben@corp.example');
    const ben = await join('ben', { email: 'ben@corp.example' });
    for (let n = 0; n < 5; n++) expect((await eve.client.post(REQUEST)).statusCode).toBe(409);
    await admin.put(`/users/${ben.id}`, { email: 'other@corp.example' });
    expect((await eve.client.post(REQUEST)).statusCode).toBe(429);
  });

  it('can be confirmed only by an admin when no mail server is configured', async () => {
    const { admin, mail, join } = await setUp(makeLocation, false);
    const ana = await join('ana');
    await ana.claim('new@example.com');
    expect((await ana.client.post(REQUEST)).json()).toEqual({ sent: false, fault: 'not_configured', detail: '' });
    expect(mail.mails).toEqual([]);
    expect((await ana.client.put(`/users/${ana.id}`, { email_proven: true })).statusCode).toBe(403);
    expect((await ana.client.put(`/users/${ana.id}`, await ana.me())).statusCode).toBe(204);
    expect((await admin.put(`/users/${ana.id}`, { email_proven: true })).statusCode).toBe(204);
    expect((await ana.me()).email_proven).toBe(true);
    const listed = (await admin.get('/users')).json<Me[]>().find(({ id }) => id === ana.id);
    expect(listed).toMatchObject({ email_proven: true });
  });
});
