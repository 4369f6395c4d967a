import type { Page } from '@playwright/test';
import { ApiClient } from '../../tooling/product/api-client.ts';
import { dialogScreen, menuScreen, pageScreen, type Screen } from './screen.ts';
import { inTurn, openDrawer, press } from './steps.ts';

const shown = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();

const openPalette = async (page: Page): Promise<void> => {
  await shown(page);
  await page.keyboard.press('Control+k');
};

/** Ends the session on the server, as after a password change in another session. Then the page makes a call. */
const endSession = async (page: Page): Promise<void> => {
  await shown(page);
  const client = new ApiClient(new URL(page.url()).origin);
  client.cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  await client.call('signOut');
};

/** The parts around every page: drawer, menus, palette, and the notices for a lost connection or session. */
export const SHELL: readonly Screen[] = [
  dialogScreen('sign-in-help', '/auth/login', 'Help with signing in', { as: 'nobody', open: press("Can't sign in?") }),
  dialogScreen('drawer', 'history', 'Menu', { only: 'narrow', open: openDrawer }),
  menuScreen('projects', 'history', /Switch project/, { open: inTurn(openDrawer, press(/Switch project/)) }),
  menuScreen('user-menu', 'history', /admin/, { open: inTurn(openDrawer, press(/^admin/i)) }),
  menuScreen('language-menu', 'history', 'Language', { open: inTurn(openDrawer, press('Language')) }),
  dialogScreen('palette', 'history', 'Search or run', { open: openPalette }),
  dialogScreen('palette-typed', 'history', 'Search or run', {
    open: async (page) => {
      await openPalette(page);
      await page.getByRole('dialog').getByRole('combobox').fill('Datenbank');
      // The second group contains what the server found.
      await page.getByRole('listbox').getByRole('group').nth(1).waitFor();
    },
  }),
  dialogScreen('palette-no-match', 'history', 'Search or run', {
    open: async (page) => {
      await openPalette(page);
      await page.getByRole('dialog').getByRole('combobox').fill('zzz');
    },
  }),
  dialogScreen('shortcuts', 'history', 'Keyboard shortcuts', {
    open: async (page) => {
      await shown(page);
      await page.keyboard.press('Shift+?');
    },
  }),
  dialogScreen('session-ended', 'templates', 'Sign in again', { as: 'leaver', open: endSession, breaks: true }),
  pageScreen('live-lost', 'history', 'Dashboard', {
    breaks: true,
    prepare: (page) => page.routeWebSocket(/\/api\/ws/, (socket) => socket.close()),
    open: async (page) => page.getByText(/The live connection was lost/).waitFor(),
  }),
  pageScreen('error-panel', 'history', 'Signalbox could not be loaded', {
    breaks: true,
    prepare: (page) =>
      page.route('**/api/projects', (route) =>
        route.fulfill({
          status: 503,
          json: { code: 'unavailable.database', error: "The database can't be reached: try again in a moment." },
        }),
      ),
  }),
];
