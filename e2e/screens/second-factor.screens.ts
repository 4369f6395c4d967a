import type { Page } from '@playwright/test';
import type { SecondFactorMode } from '@signalbox/contract';
import { dialogScreen, pageScreen, type Screen } from './screen.ts';
import { fromUserMenu, inTurn, press, pressInDialog } from './steps.ts';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const CODES = Array.from({ length: 10 }, (_, n) => `abcd-efgh-jkmn-${2345 + n}`);

/** Replaces the status of the second factor in the answers of the server, for every user. */
const accountHasFactor =
  (active: boolean, mode: SecondFactorMode = 'optional') =>
  (page: Page) =>
    page.route('**/api/user/second-factor**', async (route) => {
      const url = route.request().url();
      if (url.endsWith('/confirm') || url.endsWith('/recovery-codes'))
        return await route.fulfill({ json: { recovery_codes: CODES } });
      if (route.request().method() === 'POST') {
        const uri = `otpauth://totp/Signalbox%20box.example:admin?secret=${SECRET}&issuer=Signalbox%20box.example`;
        return await route.fulfill({ json: { secret: SECRET, uri } });
      }
      const since = active ? '2026-11-21T10:00:00.000Z' : null;
      const recovery_codes_left = active ? 3 : 0;
      return await route.fulfill({
        json: { mode, active, since, recovery_codes_left },
      });
    });

const givePassword = async (page: Page): Promise<void> => {
  await page.getByLabel('Username or email').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill('x');
  await page.keyboard.press('Enter');
  await page.getByLabel('Code', { exact: true }).waitFor();
};

const rightPassword = (page: Page) =>
  page.route('**/api/auth/login', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 401, json: { code: 'second_factor_needed', error: 'Give the code.' } })
      : route.fulfill({ json: { login_with_password: true, oidc_providers: [] } }),
  );

const scan = async (page: Page): Promise<void> => {
  await page.getByLabel('Your password').fill('x');
  await page.keyboard.press('Enter');
  await page.getByLabel('Code from the app').waitFor();
};

const giveCode = async (page: Page): Promise<void> => {
  await page.getByLabel('Code from the app').fill('123456');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
};

const account = fromUserMenu('Edit Account');
const turnOn = inTurn(account, pressInDialog('Turn on'));
const SETUP = 'Turn on the second factor';

/** The setup of a second factor, the sign-in with it, and its later changes. */
export const SECOND_FACTOR: readonly Screen[] = [
  pageScreen('sign-in-code', '/auth/login', 'Signalbox', {
    as: 'nobody',
    breaks: true,
    prepare: rightPassword,
    open: givePassword,
  }),
  pageScreen('sign-in-recovery-code', '/auth/login', 'Signalbox', {
    as: 'nobody',
    breaks: true,
    prepare: rightPassword,
    open: inTurn(givePassword, press('Use a recovery code')),
  }),
  dialogScreen('account-second-factor', 'history', /^Edit account/, { prepare: accountHasFactor(true), open: account }),
  dialogScreen('second-factor-password', 'history', SETUP, { prepare: accountHasFactor(false), open: turnOn }),
  dialogScreen('second-factor-scan', 'history', SETUP, {
    prepare: accountHasFactor(false),
    open: inTurn(turnOn, scan),
  }),
  dialogScreen('second-factor-codes', 'history', SETUP, {
    prepare: accountHasFactor(false),
    open: inTurn(turnOn, scan, giveCode),
  }),
  dialogScreen('second-factor-off', 'history', 'Turn off the second factor', {
    prepare: accountHasFactor(true),
    open: inTurn(account, pressInDialog('Turn off')),
  }),
  dialogScreen('second-factor-new-codes', 'history', 'New recovery codes', {
    prepare: accountHasFactor(true),
    open: inTurn(account, pressInDialog('New recovery codes')),
  }),
  pageScreen('second-factor-due', '/auth/second-factor', 'Set up a second factor', {
    prepare: accountHasFactor(false, 'required'),
  }),
  dialogScreen('user-second-factor-reset', '/users?q=bereitschaft', /^Reset the second factor/, {
    open: press(/^Reset the second factor of/),
  }),
];
