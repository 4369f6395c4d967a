import { expect, type Page } from '@playwright/test';
import { ApiClient } from '../tooling/product/api-client.ts';
import { axeFindings } from './screens/inspection.ts';

/** Signs in with the form, using the keyboard. */
export const signInWithForm = async (page: Page, address: string, login: string, password: string): Promise<void> => {
  await page.goto(address);
  await page.getByLabel('Username or email').fill(login);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/auth/login'));
};

/** The cookies of a new session of a user. */
export const sessionCookies = async (address: string, login: string, password: string) => {
  const client = new ApiClient(address);
  await client.signIn(login, password);
  return client.cookie.split('; ').map((cookie) => {
    const at = cookie.indexOf('=');
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: address };
  });
};

/** Signs in without the form: the next page that is opened is that of the user. */
export const signIn = async (page: Page, address: string, login: string, password: string): Promise<void> =>
  page.context().addCookies(await sessionCookies(address, login, password));

/** Expects that axe finds nothing on the current page. */
export const expectAccessible = async (page: Page, what: string): Promise<void> => {
  await page.getByRole('main').waitFor();
  expect(await axeFindings(page), what).toEqual([]);
};
