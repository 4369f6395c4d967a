import { expect, it } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { eventTexts } from '../../testing/event-texts.ts';
import { codeAt } from '../../testing/given-factor.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { ADMIN_PASSWORD, type Client, startTestServer } from '../../testing/test-server.ts';

const MINUTE = 60_000;
const STEP = 30_000;
const WRONG = '000000';

const setUp = async (makeLocation: MakeLocation, settings: Record<string, string> = {}) => {
  const clock = new TestClock('2026-11-22T10:00:00.000Z');
  const server = await startTestServer(await makeLocation(), settings, clock);

  /** Sends the password. The browser then holds a sign-in that waits for its code. */
  const begin = async (auth = 'admin', password = ADMIN_PASSWORD): Promise<Client> => {
    const answer = await server.anonymous.post('/auth/login', { auth, password });
    expect(answer.statusCode, answer.body).toBe(401);
    expect(answer.json()).toMatchObject({ code: 'second_factor_needed' });
    const held = answer.cookies.find(({ name }) => name === 'signalbox_sign_in');
    expect(held).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/auth/' });
    expect(answer.cookies.filter(({ name, value }) => name === 'signalbox_session' && value !== '')).toEqual([]);
    return server.clientOf(`signalbox_sign_in=${held?.value}`);
  };
  const enter = (browser: Client, code: string) => browser.post('/auth/second-factor', { code });
  /** The status of a complete sign-in. */
  const signInWith = async (code: string): Promise<number> => (await enter(await begin(), code)).statusCode;

  const enrol = async (client: Client) => {
    const begun = await client.post('/user/second-factor', { current_password: ADMIN_PASSWORD });
    expect(begun.statusCode, begun.body).toBe(200);
    const { secret } = begun.json<{ secret: string; uri: string }>();
    const code = () => codeAt(secret, clock.now());
    const confirmed = await client.post('/user/second-factor/confirm', { code: code() });
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    const { recovery_codes: codes } = confirmed.json<{ recovery_codes: string[] }>();
    clock.pass(STEP);
    return { secret, codes, code };
  };
  const events = (): Promise<string[]> => eventTexts(server.storage.database.read);
  return { clock, server, begin, enter, signInWith, enrol, events };
};

describeOneDatabase('a second factor', (makeLocation) => {
  it('is active once it is confirmed: a password alone gives no session, and every other session ends', async () => {
    const { clock, server, begin, enter, enrol, events } = await setUp(makeLocation);
    const [client, other] = [await server.signIn(), await server.signIn()];
    const begun = (await client.post('/user/second-factor', { current_password: ADMIN_PASSWORD })).json<{
      secret: string;
      uri: string;
    }>();
    expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(begun.uri).searchParams.get('secret')).toBe(begun.secret);
    expect(decodeURIComponent(begun.uri)).toMatch(/^otpauth:\/\/totp\/Signalbox 127\.0\.0\.1 \d+:admin\?/);
    await server.signIn();
    expect((await client.post('/user/second-factor/confirm', { code: WRONG })).json()).toMatchObject({
      fields: { code: 'is wrong or was already used' },
    });
    const { secret, codes, code } = await enrol(client);
    expect(secret).not.toBe(begun.secret);
    expect(new Set(codes).size).toBe(10);
    expect((await client.get('/user')).json()).toMatchObject({ second_factor: 'on' });
    expect((await client.get('/user/second-factor')).json()).toEqual({
      mode: 'optional',
      active: true,
      since: new Date(clock.now().getTime() - STEP).toISOString(),
      recovery_codes_left: 10,
    });
    expect((await other.get('/user')).statusCode).toBe(401);
    expect((await client.post('/user/second-factor', { current_password: ADMIN_PASSWORD })).statusCode).toBe(409);

    const browser = await begin();
    expect((await browser.get('/user')).statusCode).toBe(401);
    const spaced = `${code().slice(0, 3)} ${code().slice(3)}`;
    const entered = await enter(browser, spaced);
    expect(entered.statusCode, entered.body).toBe(204);
    const session = entered.cookies.find(({ name }) => name === 'signalbox_session')?.value;
    expect(entered.cookies.find(({ name }) => name === 'signalbox_sign_in')?.value).toBe('');
    expect((await server.clientOf(`signalbox_session=${session}`).get('/user')).json()).toMatchObject({ admin: true });
    expect((await events()).slice(-2)).toEqual(['Second factor of admin turned on', 'User admin signed in']);
  });

  it('[S3] is stored so that neither its secret nor recovery codes can be read', async () => {
    const { server, enrol } = await setUp(makeLocation);
    const client = await server.signIn();
    const { secret, codes } = await enrol(client);
    const { read } = server.storage.database;
    const stored = JSON.stringify([
      await read.selectFrom('second_factor').selectAll().execute(),
      await read.selectFrom('recovery_code').selectAll().execute(),
      await read.selectFrom('event').selectAll().execute(),
      (await client.get('/users')).json(),
      (await client.get('/user/second-factor')).json(),
    ]);
    for (const kept of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(kept);
    expect(stored).toMatch(/"secret":"v1:/);
  });

  it('accepts each code once, also of two simultaneous calls', async () => {
    const { clock, server, begin, enter, enrol, signInWith } = await setUp(makeLocation);
    const { secret, code } = await enrol(await server.signIn());
    expect(await signInWith(codeAt(secret, new Date(clock.now().getTime() - STEP)))).toBe(401);
    const browsers = [await begin(), await begin(), await begin()];
    const answers = await Promise.all(browsers.map((browser) => enter(browser, code())));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 401, 401]);
    expect(await signInWith(code())).toBe(401);
    clock.pass(STEP);
    expect(await signInWith(code())).toBe(204);
  });

  it('tolerates a clock that is wrong by one step, but not by three', async () => {
    const { clock, server, enrol, signInWith } = await setUp(makeLocation);
    const { secret } = await enrol(await server.signIn());
    const shown = (steps: number) => codeAt(secret, new Date(clock.now().getTime() + steps * STEP));
    clock.pass(10 * STEP);
    for (const [steps, status] of [
      [-3, 401],
      [3, 401],
      [-1, 204],
      [1, 204],
    ] as const)
      expect(await signInWith(shown(steps)), `${steps} steps`).toBe(status);
  });

  it('must be entered within five minutes after the password, and leads to one session', async () => {
    const { clock, server, begin, enter, enrol } = await setUp(makeLocation);
    const { code } = await enrol(await server.signIn());
    const later = await begin();
    clock.pass(5 * MINUTE);
    const expired = await enter(later, code());
    expect(expired.statusCode).toBe(401);
    expect(expired.json()).toMatchObject({ code: 'not_signed_in.expired' });
    const browser = await begin();
    expect((await enter(browser, code())).statusCode).toBe(204);
    clock.pass(STEP);
    expect((await enter(browser, code())).json()).toMatchObject({ code: 'not_signed_in.expired' });
    for (const client of [server.anonymous, server.clientOf('signalbox_sign_in=nonsense')])
      expect((await enter(client, code())).json()).toMatchObject({ code: 'not_signed_in.expired' });
  });

  it('[S8] ends a sign-in that waits for a code when the password changes', async () => {
    const { server, begin, enter, enrol } = await setUp(makeLocation);
    const client = await server.signIn();
    const { code } = await enrol(client);
    const browser = await begin();
    const { id } = (await client.get('/user')).json<{ id: number }>();
    expect(
      (await client.post(`/users/${id}/password`, { password: 'another password', current_password: ADMIN_PASSWORD }))
        .statusCode,
    ).toBe(204);
    expect((await enter(browser, code())).json()).toMatchObject({ code: 'not_signed_in.expired' });
    expect((await enter(await begin('admin', 'another password'), code())).statusCode).toBe(204);
  });

  it('[S8] is also required when it was enabled while the password was being verified', async () => {
    const { server, enrol } = await setUp(makeLocation);
    const client = await server.signIn();
    const pending = server.anonymous.post('/auth/login', { auth: 'admin', password: ADMIN_PASSWORD });
    await enrol(client);
    const answer = await pending;
    const session = answer.cookies.find(({ name, value }) => name === 'signalbox_session' && value !== '')?.value;
    const user = await server.clientOf(`signalbox_session=${session}`).get('/user');
    expect(user.statusCode).toBe(401);
  });

  it('is not revealed before the password is correct', async () => {
    const { server, enrol } = await setUp(makeLocation);
    const wrong = () => server.anonymous.post('/auth/login', { auth: 'admin', password: 'wrong' });
    const before = await wrong();
    await enrol(await server.signIn());
    const after = await wrong();
    expect([after.statusCode, after.body]).toEqual([before.statusCode, before.body]);
    expect(after.cookies).toEqual(before.cookies);
  });
});

describeOneDatabase('a recovery code', (makeLocation) => {
  it('signs in once in any notation, and new codes invalidate old ones', async () => {
    const { clock, server, begin, enter, enrol, signInWith, events } = await setUp(makeLocation);
    const client = await server.signIn();
    const { codes, code } = await enrol(client);
    const [first = '', second = '', third = ''] = codes;
    expect(first).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
    const twice = [await begin(), await begin()];
    const answers = await Promise.all(twice.map((browser) => enter(browser, ` ${first.toUpperCase()} `)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 401]);
    expect(await signInWith(first)).toBe(401);
    expect(await signInWith(second.replaceAll('-', ' '))).toBe(204);
    expect(await events()).toContain('admin used a recovery code; left: 8');

    const proof = { current_password: ADMIN_PASSWORD, code: code() };
    const renewed = await client.post('/user/second-factor/recovery-codes', proof);
    expect(renewed.statusCode, renewed.body).toBe(200);
    const { recovery_codes: again } = renewed.json<{ recovery_codes: string[] }>();
    expect(again.filter((one) => codes.includes(one))).toEqual([]);
    expect((await client.post('/user/second-factor/recovery-codes', proof)).statusCode).toBe(400);
    clock.pass(15 * MINUTE);
    expect(await signInWith(third)).toBe(401);
    expect(await signInWith(again[0] ?? '')).toBe(204);
  });
});
