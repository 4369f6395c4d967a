import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeOneDatabase, type MakePlace } from '../../testing/databases.ts';
import { CLIENT_ID, CLIENT_SECRET, passProvider, startIdentityProvider } from '../../testing/identity-provider.ts';
import { failed, startSignOn } from '../../testing/sign-on.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { ADMIN_PASSWORD } from '../../testing/test-server.ts';

type SignOn = Awaited<ReturnType<typeof startSignOn>>;

/** Comes back from the provider in a browser of its own, after something was done to the way. */
const back = async (one: SignOn, change: (way: URL, jar: Map<string, string>) => void = () => undefined) => {
  const jar = new Map<string, string>();
  const way = await one.thereAndBack(jar, { login: 'mara' }, '/users');
  change(way, jar);
  return { to: await one.comeBack(jar, way), jar };
};

const LOST = failed('lost');

describeOneDatabase('[S9] a sign-in with a provider fails in a sentence', (makePlace: MakePlace) => {
  it('when the person will not, and the way is open to try again', async () => {
    const one = await startSignOn(makePlace);
    const jar = new Map<string, string>();
    expect(await one.comeBack(jar, await one.thereAndBack(jar, 'deny', '/users'))).toBe(failed('denied', '/users'));
    expect([...jar.keys()]).toEqual([]);
    expect((await back(one)).to).toBe('/box/users');
  });

  it('when the provider is not known here', async () => {
    const one = await startSignOn(makePlace);
    for (const id of ['nobody', '..%2f', '__proto__', 'corp%00']) {
      expect(await one.setOut(new Map(), '/users', id), id).toBe(failed('unknown_provider', '/users'));
    }
    const way = new URL('https://signalbox.test/box/api/auth/oidc/nobody/callback?code=1&state=2');
    expect(await one.comeBack(new Map(), way)).toBe(failed('unknown_provider'));
  });

  it('when the state is another one, comes twice, or is missing, or the browser did not set out', async () => {
    const one = await startSignOn(makePlace);
    const faults: ((way: URL, jar: Map<string, string>) => void)[] = [
      (way) => way.searchParams.set('state', 'tampered'),
      (way) => way.searchParams.delete('state'),
      (way) => way.searchParams.append('state', 'another'),
    ];
    for (const fault of faults) expect((await back(one, fault)).to).toBe(failed('lost', '/users'));
    expect((await back(one, (_way, jar) => jar.clear())).to).toBe(LOST);
    expect((await back(one, (_way, jar) => jar.set('signalbox_trip', 'v1:x:AAAA'))).to).toBe(LOST);
    const forged = (_way: URL, jar: Map<string, string>) => {
      const sealed = jar.get('signalbox_trip') ?? '';
      jar.set('signalbox_trip', `${sealed.slice(0, -6)}AAAA${sealed.slice(-2)}`);
    };
    expect((await back(one, forged)).to).toBe(LOST);
    const users = await one.server.storage.database.read.selectFrom('users').select('id').execute();
    expect(users).toHaveLength(1);
  });

  it('when the way back of one browser is gone by another, which signs nobody in as somebody else', async () => {
    const one = await startSignOn(makePlace);
    const [mine, theirs] = [new Map<string, string>(), new Map<string, string>()];
    const way = await one.thereAndBack(mine, { login: 'mallory' });
    await one.setOut(theirs);
    expect(await one.comeBack(theirs, way)).toBe(LOST);
    expect(theirs.has('signalbox_session')).toBe(false);
  });

  it('when it was used already, with the same cookie too', async () => {
    const one = await startSignOn(makePlace);
    const jar = new Map<string, string>();
    const way = await one.thereAndBack(jar, { login: 'mara' });
    const copy = new Map(jar);
    expect(await one.comeBack(jar, way)).toBe('/box/');
    expect(await one.comeBack(copy, way)).toBe(failed('used'));
    expect(copy.has('signalbox_session')).toBe(false);
    expect(await one.comeBack(jar, way)).toBe(failed('used'));
    expect(await one.comeBack(new Map(), way)).toBe(failed('used'));
  });

  it('when the code is another one than the provider gave', async () => {
    const one = await startSignOn(makePlace);
    expect((await back(one, (way) => way.searchParams.set('code', 'made up'))).to).toBe(failed('refused', '/users'));
    expect((await back(one, (way) => way.searchParams.delete('code'))).to).toBe(failed('refused', '/users'));
  });

  it('when a code is stolen into another way, which has another verifier', async () => {
    const one = await startSignOn(makePlace);
    const stolen = (await one.thereAndBack(new Map(), { login: 'mara' })).searchParams.get('code') ?? '';
    expect((await back(one, (way) => way.searchParams.set('code', stolen))).to).toBe(failed('refused', '/users'));
  });

  it('when another issuer speaks: in the address, in the token, or of itself', async () => {
    const one = await startSignOn(makePlace);
    const evil = 'https://evil.example';
    expect((await back(one, (way) => way.searchParams.set('iss', evil))).to).toBe(failed('issuer', '/users'));
    expect((await back(one, (way) => way.searchParams.delete('iss'))).to).toBe(failed('issuer', '/users'));
    one.idp.tampering.idToken = (claims) => ({ ...claims, iss: evil });
    expect((await back(one)).to).toBe(failed('issuer', '/users'));
    const other = await startSignOn(makePlace);
    other.idp.tampering.discovery = (metadata) => ({ ...metadata, issuer: evil });
    expect(await other.setOut(new Map(), '/users')).toBe(failed('issuer', '/users'));
  });

  it('when the token is for somebody else, has another nonce, or no good signature', async () => {
    const one = await startSignOn(makePlace);
    for (const [what, fault] of [
      ['aud', { aud: 'another client' }],
      ['nonce', { nonce: 'another' }],
      ['azp', { aud: ['signalbox', 'another'], azp: 'another' }],
      ['azp of one audience', { azp: 'another' }],
      ['an empty sub', { sub: '' }],
      ['a blank sub', { sub: ' ' }],
      ['a huge sub', { sub: 'x'.repeat(256) }],
    ] as const) {
      one.idp.tampering.idToken = (claims) => ({ ...claims, ...fault });
      expect((await back(one)).to, what).toBe(failed('refused', '/users'));
    }
    // A server that has not fetched the provider's keys so far.
    const two = await startSignOn(makePlace);
    two.idp.tampering.answer = (request, response) => {
      if (request.url !== '/jwks') return false;
      response.setHeader('content-type', 'application/json');
      response.end('{"keys":[]}');
      return true;
    };
    expect((await back(two)).to).toBe(failed('refused', '/users'));
  });

  it('when the clocks differ by more than half a minute', async () => {
    const one = await startSignOn(makePlace);
    const seconds = Math.floor(Date.now() / 1000);
    for (const times of [{ exp: seconds - 60 }, { nbf: seconds + 60 }, { iat: seconds + 90 }, { iat: seconds - 90 }]) {
      one.idp.tampering.idToken = (claims) => ({ ...claims, ...times });
      expect((await back(one)).to, JSON.stringify(times)).toBe(failed('clock', '/users'));
    }
    one.idp.tampering.idToken = (claims) => ({ ...claims, exp: seconds - 5 });
    expect((await back(one)).to).toBe('/box/users');
  });

  it('when they come back too late', async () => {
    const clock = new TestClock(new Date().toISOString());
    const one = await startSignOn(makePlace, {}, {}, clock);
    expect((await back(one, () => clock.pass(9 * 60_000))).to).toBe('/box/users');
    const late = await back(one, () => clock.pass(10 * 60_000));
    expect(late.to).toBe(failed('expired', '/users'));
  });

  it('when the provider is down, before or after; the server starts, and others get in', async () => {
    const one = await startSignOn(makePlace);
    const jar = new Map<string, string>();
    const way = await one.thereAndBack(jar, { login: 'mara' });
    for (const path of ['/jwks', '/token', '/me']) {
      const again = new Map<string, string>();
      const there = await one.thereAndBack(again, { login: 'mara' });
      one.idp.tampering.answer = (request, response) => {
        if (request.url !== path) return false;
        response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
        return true;
      };
      expect(await one.comeBack(again, there), path).toBe(failed('provider_down'));
      one.idp.tampering.answer = undefined;
    }
    await one.idp.close();
    expect(await one.comeBack(jar, way)).toBe(failed('provider_down'));
    const dead = await startSignOn(makePlace, { issuer: 'http://127.0.0.1:9' });
    expect(await dead.setOut(new Map(), '/users')).toBe(failed('provider_down', '/users'));
    await dead.server.signIn();
  });

  it('without limit when no authorization request was made, and blocks no passwords at the address', async () => {
    const one = await startSignOn(makePlace);
    const from = '192.0.2.7';
    const asked = new Map<string, string>();
    await one.setOut(asked);
    for (let n = 0; n < 40; n++) {
      for (const id of ['corp', `unknown-${n}`]) {
        const image = `/api/auth/oidc/${id}/callback?code=1&state=${n}`;
        const answer = await one.visit(n % 2 ? new Map() : new Map(asked), image, from);
        expect(answer.headers.location).not.toBe(failed('too_many'));
      }
    }
    const { read } = one.server.storage.database;
    expect(await read.selectFrom('sign_in_attempt').selectAll().execute()).toEqual([]);
    const payload = { auth: 'admin', password: ADMIN_PASSWORD };
    const post = { method: 'POST', url: '/api/auth/login', remoteAddress: from, payload } as const;
    expect((await one.server.anonymous.send(post)).statusCode).toBe(204);
  });

  it('once too many callbacks of authorization requests at the address were refused, and blocks no passwords', async () => {
    const one = await startSignOn(makePlace);
    const ends: string[] = [];
    for (let n = 0; n < 31; n++) {
      const jar = new Map<string, string>();
      const state = new URL(await one.setOut(jar)).searchParams.get('state') ?? '';
      const url = `/api/auth/oidc/corp/callback?state=${state}&iss=https://other.example`;
      ends.push(String((await one.visit(jar, url)).headers.location));
    }
    expect(ends).toEqual([...Array(30).fill(failed('issuer')), failed('too_many')]);
    await one.server.signIn();
  });

  it('when the provider takes the call and never answers', async () => {
    const one = await startSignOn(makePlace);
    one.idp.tampering.answer = () => true;
    expect(await one.setOut(new Map(), '/users')).toBe(failed('provider_down', '/users'));
  }, 30_000);
});

it('[S4] leaves no secret in the log, however much is logged', async () => {
  const idp = await startIdentityProvider(['http://localhost/api/auth/oidc/corp/callback']);
  onTestFinished(() => idp.close());
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-sign-on-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const redirect_url = 'http://localhost/api/auth/oidc/corp/callback';
  const corp = { issuer: idp.issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_url };
  writeFileSync(join(folder, 'settings.yml'), JSON.stringify({ oidc_providers: { corp } }));
  const server = signalbox({ folder, databaseUrl: undefined }, 'server', {
    SIGNALBOX_CONFIG: join(folder, 'settings.yml'),
    SIGNALBOX_LOG_LEVEL: 'debug',
  });
  const [, address = ''] = /ready at (\S+)/.exec(await server.said('Signalbox is ready')) ?? [];
  const secrets: string[] = [CLIENT_SECRET];
  for (const tamper of [undefined, (claims: object) => ({ ...claims, aud: 'another' })]) {
    idp.tampering.idToken = tamper;
    const out = await fetch(`${address}/api/auth/oidc/corp/login`, { redirect: 'manual' });
    const [cookie = ''] = (out.headers.getSetCookie()[0] ?? '').split(';');
    const way = await passProvider(out.headers.get('location') ?? '', { login: 'mara' });
    const home = await fetch(`${address}${way.pathname}${way.search}`, { redirect: 'manual', headers: { cookie } });
    expect(home.headers.get('location')).toBe(tamper ? '/auth/login?error=refused' : '/');
    const session = home.headers.getSetCookie().map((one) => one.split(/[=;]/)[1] ?? '');
    const state = way.searchParams.get('state') ?? '';
    secrets.push(way.searchParams.get('code') ?? '', state, cookie.split('=')[1] ?? '', ...session);
  }
  for (let n = 0; n < 60; n++) {
    const lost = await fetch(`${address}/api/auth/oidc/corp/callback?state=${n}`, { redirect: 'manual' });
    expect(lost.headers.get('location')).toBe('/auth/login?error=lost');
  }
  server.child.kill('SIGTERM');
  const { output } = await server.ended;
  expect(output).toContain('/api/auth/oidc/corp/callback');
  // Anonymous clients can make such calls, so the number of their log lines is limited.
  expect(output.split('a sign-in with a provider failed')).toHaveLength(21);
  expect(output).toContain('a sign-in with a provider failed');
  for (const secret of secrets.filter((one) => one.length > 1)) expect(output).not.toContain(secret);
});
