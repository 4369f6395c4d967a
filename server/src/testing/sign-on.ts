import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../clock.ts';
import type { MakeLocation } from './databases.ts';
import { CLIENT_ID, CLIENT_SECRET, passProvider, startIdentityProvider } from './identity-provider.ts';
import { type Client, startTestServer } from './test-server.ts';

const PUBLIC_URL = 'https://signalbox.test/box';
const CALLBACK = `${PUBLIC_URL}/api/auth/oidc/corp/callback`;

/** Cookies of a browser, as a test carries them on. */
type Cookies = Map<string, string>;

/** A server and a provider that know each other, and browsers that go from one to the other. */
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

  /** One request of a browser; cookies are read and written in `jar`. */
  const visit = async (jar: Cookies, url: string, remoteAddress = '127.0.0.1') => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await server.anonymous.send({
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

  /** Sets out to the provider. */
  const setOut = async (jar: Cookies, page = '/', id = 'corp'): Promise<string> =>
    locationOf(await visit(jar, `/box/api/auth/oidc/${id}/login?return=${encodeURIComponent(page)}`));
  /** Goes to the provider and does something there; answers the way back, not yet gone. */
  const thereAndBack = async (jar: Cookies, does: { login: string } | 'deny', page = '/'): Promise<URL> =>
    await passProvider(await setOut(jar, page), does);
  /** Goes the way back; answers where it leads. */
  const comeBack = async (jar: Cookies, behaviour: URL): Promise<string> =>
    locationOf(await visit(jar, `${behaviour.pathname}${behaviour.search}`));
  const signOn = async (login: string, page = '/') => {
    const jar: Cookies = new Map();
    const to = await comeBack(jar, await thereAndBack(jar, { login }, page));
    const client = server.clientOf([...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    return { to, jar, client };
  };
  return { idp, server, visit, setOut, thereAndBack, comeBack, signOn };
};

export const whoIs = async (client: Client) =>
  (await client.get('/user')).json<{
    id: number;
    username: string;
    email: string;
    admin: boolean;
    external: boolean;
  }>();

/** Where a failure leads. */
export const failed = (failure: string, page = ''): string =>
  `/box/auth/login?${new URLSearchParams({ error: failure, ...(page === '' ? {} : { next: page }) })}`;
