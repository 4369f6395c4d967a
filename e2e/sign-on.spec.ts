import { expect, type Page, test } from '@playwright/test';
import { Product } from '../tooling/product/product.ts';
import { expectAccessible } from './console.ts';
import { type OutsideProvider, startProvider, writeSettings } from './outside-provider.ts';
import { reverseProxy } from './reverse-proxy.ts';

const atProvider = async (page: Page, login: string): Promise<void> => {
  await page.getByRole('link', { name: 'Corp' }).click();
  await page.getByLabel('Login').fill(login);
  await page.keyboard.press('Enter');
};

test('a user signs in with a provider for the first time and again, and cannot sign in when the user cancels or the request was changed', async ({
  browser,
}) => {
  let provider: OutsideProvider | undefined;
  const product = await Product.start();
  await product.stopServer();
  try {
    provider = await startProvider(`${product.address}/api/auth/oidc/corp/callback`);
    await product.startServer({ SIGNALBOX_CONFIG: writeSettings(product.folder, provider) });

    const visitor = await (await browser.newContext()).newPage();
    const asked = `${product.address}/project/new?from=mail`;
    await visitor.goto(asked);
    await atProvider(visitor, 'mara');
    await expect(visitor).toHaveURL(asked);
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
    const me = await visitor.evaluate(async () => (await fetch('/api/user')).json());
    expect(me).toMatchObject({ username: 'mara', name: 'mara of Corp', external: true, admin: false });

    // In another browser this is the same user, who cannot change the account here.
    const again = await (await browser.newContext()).newPage();
    await again.goto(product.address);
    await atProvider(again, 'mara');
    await again.waitForURL(/\/project\/new/);
    expect(await again.evaluate(async () => (await fetch('/api/user')).json())).toMatchObject({ id: me.id });
    await again.getByRole('button', { name: /mara/i }).click();
    await again.getByRole('menuitem', { name: 'Edit Account' }).click();
    const account = again.getByRole('dialog');
    for (const name of ['Username', 'Email']) await expect(account.getByLabel(name, { exact: true })).toBeDisabled();

    const unwilling = await (await browser.newContext()).newPage();
    await unwilling.goto(asked);
    await unwilling.getByRole('link', { name: 'Corp' }).click();
    await unwilling.getByRole('button', { name: 'Deny' }).click();
    await expect(unwilling.getByRole('alert')).toHaveText('The sign-in was cancelled at the provider.');
    await expectAccessible(unwilling, 'the sign-in page with a refusal');
    await atProvider(unwilling, 'ivo');
    await expect(unwilling).toHaveURL(asked);

    const changed = await (await browser.newContext()).newPage();
    const login = `${product.address}/api/auth/oidc/corp/login`;
    const out = await changed.request.get(login, { maxRedirects: 0 });
    const tampered = new URL(out.headers().location ?? '');
    tampered.searchParams.set('state', 'another');
    await changed.goto(tampered.href);
    await changed.getByLabel('Login').fill('mallory');
    await changed.keyboard.press('Enter');
    await expect(changed.getByRole('alert')).toContainText('was not started in this browser');
    expect(await changed.evaluate(async () => (await fetch('/api/user')).status)).toBe(401);
  } finally {
    await provider?.close();
    await product.dispose();
  }
});

const MINUTES = 60_000;
/** Sets the clock of a process forward by some milliseconds. */
const later = (ms: number): string => {
  const code = `const Now = Date;
globalThis.Date = class extends Now {
  constructor(...args) { super(...(args.length === 0 ? [Now.now() + ${ms}] : args)); }
  static now() { return Now.now() + ${ms}; }
};`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
};

test('each failure of a sign-in with a provider has its message', async ({ browser }) => {
  const product = await Product.start();
  await product.stopServer();
  const provider = await startProvider(`${product.address}/api/auth/oidc/corp/callback`);
  try {
    await product.startServer({ SIGNALBOX_CONFIG: writeSettings(product.folder, provider) });
    const asked = `${product.address}/project/new?from=mail`;
    const startSignIn = async (): Promise<Page> => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(asked);
      return page;
    };
    const isRefused = async (page: Page, message: string): Promise<void> => {
      await expect(page.getByRole('alert')).toHaveText(message);
      await expectAccessible(page, message);
      expect(await page.evaluate(async () => (await fetch('/api/user')).status), message).toBe(401);
    };
    const fails = async (login: string, message: string): Promise<void> => {
      const page = await startSignIn();
      await atProvider(page, login);
      await isRefused(page, message);
      // An earlier failure has no effect: the user can sign in as soon as the provider answers correctly.
      await provider.lead({});
      await page.getByRole('link', { name: 'Corp' }).click();
      await page.waitForURL(asked);
      await page.context().close();
    };

    await provider.lead({ idToken: { iss: 'https://id.example.net' } });
    const issuer = 'The response came from a different provider than expected. Contact your administrator.';
    await fails('mara', issuer);

    await provider.lead({ idToken: { exp: Math.floor(Date.now() / 1000) - 60 } });
    await fails('mara', 'The clocks of the provider and this server differ too much. Contact your administrator.');

    await provider.lead({ emails: { ivo: 'mara@example.com' } });
    await fails('ivo', 'Another user already has your email address. Contact your administrator.');

    // An attacker repeats the callback: with the cookie of the request, and in another browser.
    const used = 'This sign-in was already used. Start again.';
    const first = await startSignIn();
    const back = first.waitForRequest((request) => request.url().includes('/api/auth/oidc/corp/callback'));
    await first.getByRole('link', { name: 'Corp' }).click();
    const requestCookies = (await first.context().cookies(`${product.address}/api/auth/oidc/`)).filter(
      ({ name }) => name === 'signalbox_sign_on',
    );
    expect(requestCookies).toHaveLength(1);
    await first.getByLabel('Login').fill('mara');
    await first.keyboard.press('Enter');
    const way = (await back).url();
    await first.waitForURL(asked);
    for (const cookies of [requestCookies, []]) {
      const thief = await startSignIn();
      await thief.context().addCookies(cookies);
      await thief.goto(way);
      await isRefused(thief, used);
    }

    // The callback arrives too late, in a browser that still has the cookie of the request.
    const late = await startSignIn();
    await late.getByRole('link', { name: 'Corp' }).click();
    await late.getByLabel('Login').fill('mara');
    await product.stopServer();
    await product.startServer({ NODE_OPTIONS: later(11 * MINUTES) });
    await late.keyboard.press('Enter');
    await isRefused(late, 'Signing in took too long. Start again.');
    const kept = await startSignIn();
    await kept.getByRole('link', { name: 'Corp' }).click();
    await kept.getByLabel('Login').waitFor();
    const [cookie] = await kept.context().cookies(`${product.address}/api/auth/oidc/`);
    expect((cookie?.expires ?? 0) * 1000).toBeGreaterThan(Date.now() + 60 * MINUTES);
    expect(new URL(late.url()).searchParams.get('next')).toBe('/project/new?from=mail');
  } finally {
    await provider.close();
    await product.dispose();
  }
});

test('a sign-in with a provider returns to the requested page behind a TLS proxy with a path', async ({ browser }) => {
  const proxy = await reverseProxy();
  const settings = { SIGNALBOX_URL: proxy.address, SIGNALBOX_TRUSTED_PROXIES: 'loopback' };
  const product = await Product.start(settings);
  let provider: OutsideProvider | undefined;
  try {
    await product.stopServer();
    provider = await startProvider(`${proxy.address}/api/auth/oidc/corp/callback`);
    await product.startServer({ SIGNALBOX_CONFIG: writeSettings(product.folder, provider) });
    await proxy.open(product.address);
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const asked = `${proxy.address}/project/new?from=mail`;
    for (const login of ['mara', 'mara']) {
      await context.clearCookies();
      await page.goto(asked);
      await atProvider(page, login);
      await expect(page).toHaveURL(asked);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText(/The live connection was lost/)).toBeHidden();
    }
    const kept = (await context.cookies()).filter(({ path }) => path.startsWith('/signalbox'));
    const session = kept.find(({ name }) => name === 'signalbox_session');
    expect(session).toMatchObject({ path: '/signalbox/', secure: true, httpOnly: true, sameSite: 'Lax' });
    // The cookie of the request is deleted, and the session cookie is not sent to other paths of the host.
    expect(kept.map(({ name }) => name).toSorted()).toEqual(['signalbox_session', 'signalbox_signed_in']);

    await context.clearCookies();
    await page.goto(asked);
    await page.getByRole('link', { name: 'Corp' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect(page.getByRole('alert')).toHaveText('The sign-in was cancelled at the provider.');
    expect(new URL(page.url()).pathname).toBe('/signalbox/auth/login');

    // A server that starts without the provider reports it, and accepts passwords.
    await product.stopServer();
    await provider.close();
    await product.startServer();
    await page.goto(asked);
    await page.getByRole('link', { name: 'Corp' }).click();
    await expect(page.getByRole('alert')).toContainText('does not respond');
    await page.getByLabel('Username or email').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(product.adminPassword);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(asked);
  } finally {
    await provider?.close();
    await proxy.close();
    await product.dispose();
  }
});
