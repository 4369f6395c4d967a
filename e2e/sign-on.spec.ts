import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, type Page, test } from '@playwright/test';
import { Product } from '../tooling/product/product.ts';
import { expectAccessible } from './console.ts';

const PROVIDER = join(import.meta.dirname, '..', 'server', 'src', 'testing', 'identity-provider.child.ts');

/** A real OpenID provider in a process of its own. */
const startProvider = async (redirectUri: string) => {
  const child = spawn(process.execPath, [PROVIDER, redirectUri], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { ...(JSON.parse(line) as { issuer: string; clientId: string; clientSecret: string }), child };
};

const atProvider = async (page: Page, login: string): Promise<void> => {
  await page.getByRole('link', { name: 'Corp' }).click();
  await page.getByLabel('Login').fill(login);
  await page.keyboard.press('Enter');
};

test('people sign in with a provider: the first time, again, not at all, and not on a way that was changed', async ({
  browser,
}) => {
  let provider: Awaited<ReturnType<typeof startProvider>> | undefined;
  const product = await Product.start();
  await product.stopServer();
  try {
    const back = `${product.address}/api/auth/oidc/corp/callback`;
    provider = await startProvider(back);
    const corp = {
      ...{ display_name: 'Corp', color: '#123456', icon: 'globe', issuer: provider.issuer, redirect_url: back },
      ...{ client_id: provider.clientId, client_secret: provider.clientSecret },
    };
    writeFileSync(join(product.folder, 'settings.yml'), JSON.stringify({ oidc_providers: { corp } }));
    await product.startServer({ SIGNALBOX_CONFIG: join(product.folder, 'settings.yml') });

    const visitor = await (await browser.newContext()).newPage();
    const asked = `${product.address}/project/new?from=mail`;
    await visitor.goto(asked);
    await atProvider(visitor, 'mara');
    await expect(visitor).toHaveURL(asked);
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible();
    const me = await visitor.evaluate(async () => (await fetch('/api/user')).json());
    expect(me).toMatchObject({ username: 'mara', name: 'mara of Corp', external: true, admin: false });

    // Elsewhere they are the same user, and their account is not theirs to change here.
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
    await expect(unwilling.getByRole('alert')).toHaveText('Signing in was cancelled at the provider.');
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
    await expect(changed.getByRole('alert')).toContainText('did not start in this browser');
    expect(await changed.evaluate(async () => (await fetch('/api/user')).status)).toBe(401);
  } finally {
    provider?.child.kill('SIGTERM');
    await product.dispose();
  }
});
