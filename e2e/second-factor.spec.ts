import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { generateSync } from 'otplib/functional';
import { ApiClient } from '../tooling/product/api-client.ts';
import { Product } from '../tooling/product/product.ts';
import { expectAccessible } from './console.ts';

const PASSWORD = 'a password of her own';
const NEW_PASSWORD = 'another password';

/** The code of a step of 30 seconds. Each step can be used once, and the next step is already accepted. */
const codeOf = (secret: string, later = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + later * 30 });

const givePassword = async (page: Page, address: string, name: string, password: string): Promise<void> => {
  await page.goto(`${address}/auth/login`);
  await page.getByLabel('Username or email').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
};

const signedIn = (page: Page) => page.waitForURL((url) => !url.pathname.includes('/auth/'));

const openAccount = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Jane/ }).click();
  await page.getByRole('menuitem', { name: 'Edit Account' }).click();
};

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Jane/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page.getByLabel('Username or email')).toBeVisible();
};

/**
 * Reads the shown secret as an authenticator app would, and enters the first code.
 * @returns the secret and the recovery codes
 */
const setUp = async (page: Page, password: string): Promise<{ secret: string; codes: string[] }> => {
  await page.getByLabel('Your password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: 'QR code of the secret' })).toBeVisible();
  const secret = (
    (await page.getByText('Or enter this secret in the app:').locator('code').textContent()) ?? ''
  ).replaceAll(' ', '');
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const code = codeOf(secret);
  await page.getByLabel('Code from the app').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Recovery codes' })).toBeFocused();
  const shown = await page.getByRole('listitem').locator('code').allTextContents();
  const codes = shown.filter((text) => /^\w{4}(-\w{4}){3}$/.test(text));
  expect(codes).toHaveLength(10);
  return { secret, codes };
};

const keepCodes = async (page: Page, codes: readonly string[]): Promise<void> => {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('signalbox-recovery-codes.txt');
  expect(readFileSync(await download.path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
  const done = page.getByRole('button', { name: 'Done' });
  await expect(done).toBeDisabled();
  await page.getByLabel('I have saved the codes').check();
  await done.click();
};

test('a second factor is set up, entered, lost, reset, and required', async ({ page, browser }) => {
  const product = await Product.start();
  const { address } = product;
  try {
    const admin = await product.client();
    const jane = { name: 'Jane', username: 'jane', email: 'jane@example.com', password: PASSWORD };
    const { id } = await admin.call('createUser', { body: jane });
    const { id: project } = await admin.call('createProject', { body: { name: 'Shop' } });
    await admin.call('addProjectUser', { params: { project_id: project }, body: { user_id: id, role: 'manager' } });

    await givePassword(page, address, 'jane', PASSWORD);
    await signedIn(page);
    await openAccount(page);
    await page.getByRole('region', { name: 'Second factor' }).getByRole('button', { name: 'Turn on' }).click();
    const { secret, codes } = await setUp(page, PASSWORD);
    await keepCodes(page, codes);
    await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
    await page.keyboard.press('Escape');

    // The password alone gives no session; the code does, with the keyboard alone.
    await signOut(page);
    await givePassword(page, address, 'jane', PASSWORD);
    const field = page.getByLabel('Code', { exact: true });
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['signalbox_sign_in']);
    await expectAccessible(page, 'the step of the code');
    await field.fill('000 000');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toHaveText('This code is wrong or was already used.');
    await field.fill(codeOf(secret, 1));
    await page.keyboard.press('Enter');
    await signedIn(page);

    // When the session ends while a page is open, the sign-in on that page requires the code too.
    await page.goto(`${address}/project/${project}/keys?edit=new`);
    const form = page.getByRole('dialog', { name: 'New key' });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Half a key');
    await admin.call('changePassword', {
      params: { user_id: id },
      body: { password: NEW_PASSWORD, current_password: product.adminPassword },
    });
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await again.getByRole('button', { name: 'Use a recovery code' }).click();
    await again.getByLabel('Recovery code').fill((codes[0] ?? '').toUpperCase());
    await page.keyboard.press('Enter');
    await expect(again).toBeHidden();
    await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half a key');
    await page.goto(`${address}/project/${project}/history`);

    // A used recovery code is refused. Another recovery code is accepted.
    await signOut(page);
    await givePassword(page, address, 'jane', NEW_PASSWORD);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByLabel('Recovery code').fill(codes[1] ?? '');
    await page.keyboard.press('Enter');
    await signedIn(page);

    // An administrator resets her second factor.
    const other = await browser.newContext();
    const admins = await other.newPage();
    await givePassword(admins, address, 'admin', product.adminPassword);
    await signedIn(admins);
    await admins.goto(`${address}/users`);
    await admins.getByRole('button', { name: 'Reset the second factor of Jane' }).click();
    await admins.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await expect(admins.getByText('Second factor of Jane reset')).toBeVisible();
    await expect(admins.getByRole('button', { name: 'Reset the second factor of Jane' })).toBeHidden();
    await other.close();
    await givePassword(page, address, 'jane', NEW_PASSWORD);
    await signedIn(page);

    // Now the server requires a second factor: after its setup, the requested page opens.
    await product.stopServer();
    await product.startServer({ SIGNALBOX_SECOND_FACTOR: 'required' });
    const client = new ApiClient(address);
    client.cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    await expect(client.call('listProjects')).rejects.toThrow('This server requires a second factor');
    await page.goto(`${address}/project/${project}/templates`);
    await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
    await expectAccessible(page, 'the page of who must set up a second factor');
    const required = await setUp(page, NEW_PASSWORD);
    await keepCodes(page, required.codes);
    await expect(page.getByRole('heading', { name: 'Task Templates' })).toBeVisible();
    await expect(page).toHaveURL(`${address}/project/${project}/templates`);
    expect(await client.call('listProjects')).toHaveLength(1);
  } finally {
    await product.dispose();
  }
});
