import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Signs in with the form, using the keyboard. */
export const signIn = async (page: Page, address: string, login: string, password: string): Promise<void> => {
  await page.goto(address);
  await page.getByLabel('Username or email').fill(login);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/auth/login'));
};

/** Expects that axe finds nothing on the current page. */
export const expectAccessible = async (page: Page, what: string): Promise<void> => {
  await page.getByRole('main').waitFor();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`),
    what,
  ).toEqual([]);
};
