import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { CLIENT_ID, CLIENT_SECRET, passProvider, startIdentityProvider } from '../../testing/identity-provider.ts';
import { failed, startSignOn } from '../../testing/sign-on.ts';
import { signalbox } from '../../testing/signalbox-process.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { ADMIN_PASSWORD } from '../../testing/test-server.ts';

type SignOn = Awaited<ReturnType<typeof startSignOn>>;

/** Returns from the provider in a new browser, after modifying the callback. */
const back = async (one: SignOn, change: (provider: URL, jar: Map<string, string>) => void = () => undefined) => {
  const jar = new Map<string, string>();
  const provider = await one.thereAndBack(jar, { login: 'mara' }, '/users');
  change(provider, jar);
  return { to: await one.finish(jar, provider), jar };
};

const LOST = failed('lost');

describeOneDatabase('[S9] a sign-in with a provider', (makeLocation: MakeLocation) => {
  it('shows that the user cancelled, and can be repeated', async () => {
    const one = await startSignOn(makeLocation);
    const jar = new Map<string, string>();
    expect(await one.finish(jar, await one.thereAndBack(jar, 'deny', '/users'))).toBe(failed('denied', '/users'));
    expect([...jar.keys()]).toEqual([]);
    expect((await back(one)).to).toBe('/box/users');
  });

  it('fails with a message when the provider is unknown', async () => {
    const one = await startSignOn(makeLocation);
    for (const id of ['nobody', '..%2f', '__proto__', 'corp%00']) {
      expect(await one.begin(new Map(), '/users', id), id).toBe(failed('unknown_provider', '/users'));
    }
    const provider = new URL('https://signalbox.test/box/api/auth/oidc/nobody/callback?code=1&state=2');
    expect(await one.finish(new Map(), provider)).toBe(failed('unknown_provider'));
  });

  it('fails when the state is wrong, repeated or missing, or another browser started the request', async () => {
    const one = await startSignOn(makeLocation);
    const failures: ((provider: URL, jar: Map<string, string>) => void)[] = [
      (provider) => provider.searchParams.set('state', 'tampered'),
      (provider) => provider.searchParams.delete('state'),
      (provider) => provider.searchParams.append('state', 'another'),
    ];
    for (const failure of failures) expect((await back(one, failure)).to).toBe(failed('lost', '/users'));
    expect((await back(one, (_provider, jar) => jar.clear())).to).toBe(LOST);
    expect((await back(one, (_provider, jar) => jar.set('signalbox_sign_on', 'v1:x:AAAA'))).to).toBe(LOST);
    const forged = (_provider: URL, jar: Map<string, string>) => {
      const encrypted = jar.get('signalbox_sign_on') ?? '';
      jar.set('signalbox_sign_on', `${encrypted.slice(0, -6)}AAAA${encrypted.slice(-2)}`);
    };
    expect((await back(one, forged)).to).toBe(LOST);
    const users = await one.server.storage.database.read.selectFrom('users').select('id').execute();
    expect(users).toHaveLength(1);
  });

  it('signs no user in when the callback of one browser is opened in another', async () => {
    const one = await startSignOn(makeLocation);
    const [mine, theirs] = [new Map<string, string>(), new Map<string, string>()];
    const provider = await one.thereAndBack(mine, { login: 'mallory' });
    await one.begin(theirs);
    expect(await one.finish(theirs, provider)).toBe(LOST);
    expect(theirs.has('signalbox_session')).toBe(false);
  });

  it('fails when the callback was used before, even with the same cookie', async () => {
    const one = await startSignOn(makeLocation);
    const jar = new Map<string, string>();
    const provider = await one.thereAndBack(jar, { login: 'mara' });
    const copy = new Map(jar);
    expect(await one.finish(jar, provider)).toBe('/box/');
    expect(await one.finish(copy, provider)).toBe(failed('used'));
    expect(copy.has('signalbox_session')).toBe(false);
    expect(await one.finish(jar, provider)).toBe(failed('used'));
    expect(await one.finish(new Map(), provider)).toBe(failed('used'));
  });

  it('fails when the provider did not issue the code', async () => {
    const one = await startSignOn(makeLocation);
    expect((await back(one, (provider) => provider.searchParams.set('code', 'another code'))).to).toBe(
      failed('refused', '/users'),
    );
    expect((await back(one, (provider) => provider.searchParams.delete('code'))).to).toBe(failed('refused', '/users'));
  });

  it('fails when a stolen code is used with another request, which has another verifier', async () => {
    const one = await startSignOn(makeLocation);
    const stolen = (await one.thereAndBack(new Map(), { login: 'mara' })).searchParams.get('code') ?? '';
    expect((await back(one, (provider) => provider.searchParams.set('code', stolen))).to).toBe(
      failed('refused', '/users'),
    );
  });

  it('fails when the issuer differs in the URL, in the token, or in the discovery document', async () => {
    const one = await startSignOn(makeLocation);
    const evil = 'https://evil.example';
    expect((await back(one, (provider) => provider.searchParams.set('iss', evil))).to).toBe(failed('issuer', '/users'));
    expect((await back(one, (provider) => provider.searchParams.delete('iss'))).to).toBe(failed('issuer', '/users'));
    one.idp.tampering.idToken = (claims) => ({ ...claims, iss: evil });
    expect((await back(one)).to).toBe(failed('issuer', '/users'));
    const other = await startSignOn(makeLocation);
    other.idp.tampering.discovery = (metadata) => ({ ...metadata, issuer: evil });
    expect(await other.begin(new Map(), '/users')).toBe(failed('issuer', '/users'));
  });

  it('fails when the token has another audience, another nonce, or an invalid signature', async () => {
    const one = await startSignOn(makeLocation);
    for (const [what, failure] of [
      ['aud', { aud: 'another client' }],
      ['nonce', { nonce: 'another' }],
      ['azp', { aud: ['signalbox', 'another'], azp: 'another' }],
      ['azp of one audience', { azp: 'another' }],
      ['an empty sub', { sub: '' }],
      ['a blank sub', { sub: ' ' }],
      ['a huge sub', { sub: 'x'.repeat(256) }],
    ] as const) {
      one.idp.tampering.idToken = (claims) => ({ ...claims, ...failure });
      expect((await back(one)).to, what).toBe(failed('refused', '/users'));
    }
    // A server that has not fetched the keys of the provider.
    const two = await startSignOn(makeLocation);
    two.idp.tampering.answer = (request, response) => {
      if (request.url !== '/jwks') return false;
      response.setHeader('content-type', 'application/json');
      response.end('{"keys":[]}');
      return true;
    };
    expect((await back(two)).to).toBe(failed('refused', '/users'));
  });

  it('fails when the clocks of provider and server differ by more than half a minute', async () => {
    const one = await startSignOn(makeLocation);
    const seconds = Math.floor(Date.now() / 1000);
    for (const times of [{ exp: seconds - 60 }, { nbf: seconds + 60 }, { iat: seconds + 90 }, { iat: seconds - 90 }]) {
      one.idp.tampering.idToken = (claims) => ({ ...claims, ...times });
      expect((await back(one)).to, JSON.stringify(times)).toBe(failed('clock', '/users'));
    }
    one.idp.tampering.idToken = (claims) => ({ ...claims, exp: seconds - 5 });
    expect((await back(one)).to).toBe('/box/users');
  });

  it('fails when the callback arrives after the request has expired', async () => {
    const clock = new TestClock(new Date().toISOString());
    const one = await startSignOn(makeLocation, {}, {}, clock);
    expect((await back(one, () => clock.pass(9 * 60_000))).to).toBe('/box/users');
    const later = await back(one, () => clock.pass(10 * 60_000));
    expect(later.to).toBe(failed('expired', '/users'));
  });

  it('fails with a message while the provider is down, but the server starts, and other users can sign in', async () => {
    const one = await startSignOn(makeLocation);
    const jar = new Map<string, string>();
    const provider = await one.thereAndBack(jar, { login: 'mara' });
    for (const path of ['/jwks', '/token', '/me']) {
      const again = new Map<string, string>();
      const there = await one.thereAndBack(again, { login: 'mara' });
      one.idp.tampering.answer = (request, response) => {
        if (request.url !== path) return false;
        response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
        return true;
      };
      expect(await one.finish(again, there), path).toBe(failed('provider_down'));
      one.idp.tampering.answer = undefined;
    }
    await one.idp.close();
    expect(await one.finish(jar, provider)).toBe(failed('provider_down'));
    const dead = await startSignOn(makeLocation, { issuer: 'http://127.0.0.1:9' });
    expect(await dead.begin(new Map(), '/users')).toBe(failed('provider_down', '/users'));
    await dead.server.signIn();
  });

  it('fails any number of times without an authorization request, and does not block sign-ins with a password', async () => {
    const one = await startSignOn(makeLocation);
    const from = '192.0.2.7';
    const asked = new Map<string, string>();
    await one.begin(asked);
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

  it('is blocked after 30 refused callbacks from one address, but sign-ins with a password are not', async () => {
    const one = await startSignOn(makeLocation);
    const ends: string[] = [];
    for (let n = 0; n < 31; n++) {
      const jar = new Map<string, string>();
      const state = new URL(await one.begin(jar)).searchParams.get('state') ?? '';
      const url = `/api/auth/oidc/corp/callback?state=${state}&iss=https://other.example`;
      ends.push(String((await one.visit(jar, url)).headers.location));
    }
    expect(ends).toEqual([...Array(30).fill(failed('issuer')), failed('too_many')]);
    await one.server.signIn();
  });

  it('fails with a message when the provider accepts the connection and never answers', async () => {
    const one = await startSignOn(makeLocation);
    one.idp.tampering.answer = () => true;
    expect(await one.begin(new Map(), '/users')).toBe(failed('provider_down', '/users'));
  }, 30_000);
});

it('[S4] no secret is logged at any log level', async () => {
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
  const [, address = ''] = /ready at (\S+)/.exec(await server.printed('Signalbox is ready')) ?? [];
  const secrets: string[] = [CLIENT_SECRET];
  for (const tamper of [undefined, (claims: object) => ({ ...claims, aud: 'another' })]) {
    idp.tampering.idToken = tamper;
    const out = await fetch(`${address}/api/auth/oidc/corp/login`, { redirect: 'manual' });
    const [cookie = ''] = (out.headers.getSetCookie()[0] ?? '').split(';');
    const provider = await passProvider(out.headers.get('location') ?? '', { login: 'mara' });
    const home = await fetch(`${address}${provider.pathname}${provider.search}`, {
      redirect: 'manual',
      headers: { cookie },
    });
    expect(home.headers.get('location')).toBe(tamper ? '/auth/login?error=refused' : '/');
    const session = home.headers.getSetCookie().map((one) => one.split(/[=;]/)[1] ?? '');
    const state = provider.searchParams.get('state') ?? '';
    secrets.push(provider.searchParams.get('code') ?? '', state, cookie.split('=')[1] ?? '', ...session);
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
  for (const fault of ['refused', 'lost']) expect(output).toContain(`"provider":"corp","fault":"${fault}","why":`);
  for (const secret of secrets.filter((one) => one.length > 1)) expect(output).not.toContain(secret);
});
