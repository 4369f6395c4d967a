import type { Page } from '@playwright/test';

/** Presses a button by its name. */
export const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

/** Presses a button inside the dialog in front. */
export const pressInDialog = (name: string | RegExp) => (page: Page) =>
  page.getByRole('dialog').last().getByRole('button', { name }).first().click();

/** Sends the form of the front dialog, whatever the label of its button is. */
export const send = (page: Page) => page.getByRole('dialog').last().locator('button[type="submit"]').click();

/** One step after another. */
export const inTurn =
  <A>(...steps: readonly ((page: Page, at: A) => Promise<unknown>)[]) =>
  async (page: Page, at: A): Promise<void> => {
    for (const step of steps) await step(page, at);
  };

/** On a phone the drawer slides in first; in a wide window it stands there already. */
export const openDrawer = async (page: Page): Promise<void> => {
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  const user = page.getByRole('button', { name: /^(admin|Gästin)/ });
  await menu.or(user).filter({ visible: true }).first().waitFor();
  if (await menu.isVisible()) await menu.click();
};

/** Opens the menu of the signed-in user, and chooses an entry. */
export const fromUserMenu = (entry: string) => async (page: Page) => {
  await openDrawer(page);
  await page
    .getByRole('button', { name: /^(admin|Gästin)/i })
    .filter({ visible: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
};

/** Chooses one of the ways that stand side by side. */
export const choose = (way: string) => (page: Page) => page.getByRole('dialog').getByText(way, { exact: true }).click();
