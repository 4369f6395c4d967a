import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../clock.ts';
import type { MakeLocation } from './database/databases.ts';
import { CLIENT_ID, CLIENT_SECRET, passProvider, startIdentityProvider } from './identity-provider.ts';
import { type Client, startTestServer } from './test-server.ts';

const PUBLIC_URL = 'https://signalbox.test/box';
const CALLBACK = `${PUBLIC_URL}/api/auth/oidc/corp/callback`;

/** Cookies of a browser. */
type Cookies = Map<string, string>;

/** Starts a server and a provider that know each other, and browsers for both. */
export const startSignOn = async (
  makeLocation: MakeLocation,
  provider: object = {},
  more: object = {},
  clock?: Clock,
  settings: object = {},
) => {
  const idp = await startIdentityProvider([CALLBACK]);
  onTestFinished(() => idp.close());
  const location = await makeLocation();
  const config = join(location.folder, 'settings.yml');
  const corp = {
    ...{ display_name: 'Corp', color: '#123456', icon: 'globe', issuer: idp.issuer },
    ...{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, ...provider },
  };
  writeFileSync(config, JSON.stringify({ url: PUBLIC_URL, oidc_providers: { corp, ...more }, ...settings }));
  const server = await startTestServer(location, { SIGNALBOX_CONFIG: config }, clock);
  /** Another server of the same database, which needs PostgreSQL. */
  const startSecond = () => startTestServer(location, { SIGNALBOX_CONFIG: config }, clock);

  /** Sends one request of a browser; reads and writes cookies in `jar`. */
  const visit = async (jar: Cookies, url: string, remoteAddress = '127.0.0.1', at = server) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await at.anonymous.send({
      method: 'GET',
      url,
      remoteAddress,
      headers: cookie ? { cookie } : {},
    });
    for (const { name, value } of answer.cookies) {
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const locationOf = (answer: { headers: Record<string, unknown> }): string => String(answer.headers.location);

  /** Opens the provider's sign-in page. */
  const begin = async (jar: Cookies, page = '/', id = 'corp'): Promise<string> =>
    locationOf(await visit(jar, `/box/api/auth/oidc/${id}/login?return=${encodeURIComponent(page)}`));
  /** Signs in at the provider. Returns the callback address without opening it. */
  const thereAndBack = async (jar: Cookies, does: { login: string } | 'deny', page = '/'): Promise<URL> =>
    await passProvider(await begin(jar, page), does);
  /** Opens the callback address. Returns the target of its redirection. */
  const finish = async (jar: Cookies, behaviour: URL, at = server): Promise<string> =>
    locationOf(await visit(jar, `${behaviour.pathname}${behaviour.search}`, undefined, at));
  const signOn = async (login: string, page = '/') => {
    const jar: Cookies = new Map();
    const to = await finish(jar, await thereAndBack(jar, { login }, page));
    const client = server.clientOf([...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    return { to, jar, client };
  };
  return { idp, server, startSecond, visit, begin, thereAndBack, finish, signOn };
};

export const whoIs = async (client: Client) =>
  (await client.get('/user')).json<{
    id: number;
    username: string;
    email: string;
    admin: boolean;
    external: boolean;
  }>();

/** The address of the sign-in page after a failure. */
export const failed = (failure: string, page = ''): string =>
  `/box/auth/login?${new URLSearchParams({ error: failure, ...(page === '' ? {} : { next: page }) })}`;
