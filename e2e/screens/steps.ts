import type { Page } from '@playwright/test';

/** Presses a button by its name. */
export const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

/** Presses a button of the front dialog. */
export const pressInDialog = (name: string | RegExp) => (page: Page) =>
  page.getByRole('dialog').last().getByRole('button', { name }).first().click();

/** Sends the form of the front dialog, whatever the label of its button is. */
export const send = (page: Page) => page.getByRole('dialog').last().locator('button[type="submit"]').click();

/** Runs steps one after another. */
export const inTurn =
  <A>(...steps: readonly ((page: Page, at: A) => Promise<unknown>)[]) =>
  async (page: Page, at: A): Promise<void> => {
    for (const step of steps) await step(page, at);
  };

/** Opens the drawer on a phone. In a wide window it is always open. */
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

/** Chooses an option of a segmented control. */
export const choose = (way: string) => (page: Page) => page.getByRole('dialog').getByText(way, { exact: true }).click();

/** Selects every row. Phones have no table head, so each row is selected there. */
export const selectAll = async (page: Page): Promise<void> => {
  const boxes = page.getByRole('checkbox').filter({ visible: true });
  await boxes.first().check();
  await page.getByRole('toolbar').waitFor();
};
