import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import Provider, { type AccountClaims, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';

export const CLIENT_ID = 'signalbox';
export const CLIENT_SECRET = 'canary-of-the-client';

type Claims = Record<string, unknown>;

/** Functions with which tests change the answers of the provider. */
interface Tampering {
  /** Changes the claims of the ID token, which is signed afterwards. */
  idToken: ((claims: Claims) => Claims) | undefined;
  /** Changes the discovery document. */
  discovery: ((metadata: Claims) => Claims) | undefined;
  /** Answers a path instead of the provider. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** Claims of a user in addition to those that follow from the login. */
  readonly people: Map<string, AccountClaims>;
  readonly tampering: Tampering;
  close(): Promise<void>;
}

const PAGE = (uid: string) => `<!doctype html><html lang="en"><title>Corp sign-in</title><main>
<form method="post" action="/interaction/${uid}"><label>Login <input name="login" autofocus></label>
<button name="does" value="enter">Enter</button><button name="does" value="deny">Deny</button></form></main></html>`;

const makeKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' };
};

/** Storage of the provider, lost when it stops. */
const memory = () => {
  const kept = new Map<string, AdapterPayload>();
  const having = (name: 'uid' | 'userCode', value: string) => [...kept.values()].find((one) => one[name] === value);
  return (kind: string): Adapter => ({
    upsert: async (id, payload) => void kept.set(`${kind} ${id}`, payload),
    find: async (id) => kept.get(`${kind} ${id}`),
    findByUid: async (uid) => having('uid', uid),
    findByUserCode: async (code) => having('userCode', code),
    consume: async (id) => {
      const payload = kept.get(`${kind} ${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => void kept.delete(`${kind} ${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [id, payload] of kept) if (payload.grantId === grantId) kept.delete(id);
    },
  });
};

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signedAgain = (token: string, key: ReturnType<typeof makeKey>, change: (claims: Claims) => Claims): string => {
  const [header = '', payload = ''] = token.split('.');
  const claims = change(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims);
  const content = `${header}.${encode(claims)}`;
  const signature = sign('RSA-SHA256', Buffer.from(content), createPrivateKey({ key, format: 'jwk' }));
  return `${content}.${signature.toString('base64url')}`;
};

/** An OpenID provider in this process at which any login can sign in. */
export const startIdentityProvider = async (redirectUris: string[], port = 0): Promise<IdentityProvider> => {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const people: IdentityProvider['people'] = new Map();
  const tampering: Tampering = { idToken: undefined, discovery: undefined, answer: undefined };
  const key = makeKey();
  const configuration: Configuration = {
    adapter: memory(),
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email', 'email_verified'] },
    cookies: { keys: ['signs the cookies of the test'] },
    jwks: { keys: [key] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_ctx, login) => ({
      accountId: login,
      claims: () => ({
        sub: login,
        preferred_username: login,
        name: `${login} of Corp`,
        email: `${login}@example.com`,
        email_verified: true,
        ...people.get(login),
      }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx, next) => {
    await next();
    const body = ctx.body as Claims;
    if (ctx.path === '/token' && tampering.idToken && typeof body?.id_token === 'string') {
      ctx.body = { ...body, id_token: signedAgain(body.id_token, key, tampering.idToken) };
    }
    if (ctx.path === '/.well-known/openid-configuration' && tampering.discovery) ctx.body = tampering.discovery(body);
  });
  const answer = provider.callback();
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      const { uid } = await provider.interactionDetails(request, response);
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE(uid));
      return;
    }
    const form = new URLSearchParams((await buffer(request)).toString());
    const result =
      form.get('does') === 'deny'
        ? { error: 'access_denied', error_description: 'They would not' }
        : { login: { accountId: form.get('login') ?? '' } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };
  handle = (request, response) => {
    if (tampering.answer?.(request, response)) return;
    if (request.url?.startsWith('/interaction/')) void interact(request, response);
    else void answer(request, response);
  };
  return {
    issuer,
    people,
    tampering,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** Follows the redirects of a browser from the provider's sign-in page to the callback address. */
export const passProvider = async (start: string, does: { login: string } | 'deny'): Promise<URL> => {
  const { origin } = new URL(start);
  const jar = new Map<string, string>();
  const follow = async (address: string, init: RequestInit = {}): Promise<URL> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { ...init, redirect: 'manual', headers: { cookie } });
    for (const one of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, address);
      return next.origin === origin ? await follow(next.href) : next;
    }
    const text = await response.text();
    const [, action] = /action="([^"]+)"/.exec(text) ?? [];
    if (action === undefined) throw new Error(`The provider answered ${response.status}: ${text.slice(0, 500)}`);
    const form: Record<string, string> = does === 'deny' ? { does } : { does: 'enter', login: does.login };
    return await follow(new URL(action, address).href, { method: 'POST', body: new URLSearchParams(form) });
  };
  return await follow(start);
};
