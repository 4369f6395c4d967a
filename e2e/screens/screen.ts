import { expect, type Locator, type Page, type Request } from '@playwright/test';
import type { SeededProject } from './seeded-project.ts';

/**
 * The user: the administrator, a guest of the project, a user without a project, no user, or one whose session will end.
 */
export type Viewer = 'admin' | 'guest' | 'stranger' | 'nobody' | 'leaver';

/** One screen or dialog of the console, and how it is reached. */
export interface Screen {
  /** Names its pictures and its findings, and is matched by filters. */
  readonly name: string;
  readonly path: (at: SeededProject) => string;
  /** What shows that the screen is open: a main heading, or the name of a dialog or menu. */
  readonly shows: readonly [role: 'heading' | 'dialog' | 'menu', name: string | RegExp];
  /** What to do after the URL is opened. Texts are English: pages are opened in it. */
  readonly open?: (page: Page, at: SeededProject) => Promise<void>;
  /** What to repeat after a change of the language: a message keeps its language. */
  readonly again?: (page: Page) => Promise<unknown>;
  /** What to do before the URL is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Default: the administrator. */
  readonly as?: Viewer;
  /** The only window width at which the screen exists. Default: both. */
  readonly only?: 'wide' | 'narrow';
  /** The screen shows a failure, so that calls fail on purpose. */
  readonly breaks?: true;
}

type More = Partial<Pick<Screen, 'open' | 'again' | 'prepare' | 'as' | 'only' | 'breaks'>>;
type Path = string | ((at: SeededProject) => string);

/** A path below the seeded project, or a complete path that begins with a slash. */
const pathOf = (path: Path) => (at: SeededProject) => {
  const found = typeof path === 'string' ? path : path(at);
  return found.startsWith('/') ? found : `/project/${at.project}/${found}`;
};

/** A page, identified by its main heading. */
export const pageScreen = (name: string, path: Path, heading: string | RegExp, more: More = {}): Screen => ({
  name,
  path: pathOf(path),
  shows: ['heading', heading],
  ...more,
});

/** A dialog over a page, identified by its name. */
export const dialogScreen = (name: string, path: Path, dialog: string | RegExp, more: More = {}): Screen => ({
  name,
  path: pathOf(path),
  shows: ['dialog', dialog],
  ...more,
});

/** An open menu, identified by its button. */
export const menuScreen = (name: string, path: Path, menu: string | RegExp, more: More = {}): Screen => ({
  name,
  path: pathOf(path),
  shows: ['menu', menu],
  ...more,
});

const view = (page: Page, [role, name]: Screen['shows']): Locator =>
  role === 'heading' ? page.getByRole('heading', { name, level: 1 }) : page.getByRole(role, { name });

/** Time limit for opening a screen on a busy machine, in milliseconds. */
const PATIENCE = 30_000;

/** Opens a screen and waits until it is complete: its heading, its data and its fonts. */
export const openScreen = async (page: Page, address: string, screen: Screen, at: SeededProject): Promise<void> => {
  const underway = new Set<Request>();
  const begin = (request: Request) => underway.add(request);
  const end = (request: Request) => underway.delete(request);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await screen.prepare?.(page);
  await page.goto(address + screen.path(at));
  await screen.open?.(page, at);
  await expect(view(page, screen.shows).first(), screen.name).toBeVisible({ timeout: PATIENCE });
  const busy = page.locator('[aria-busy="true"]');
  if (!screen.breaks) await expect(busy, `what is busy in ${screen.name}`).toHaveCount(0);
  await expect.poll(() => underway.size, { message: `calls of ${screen.name} that go on`, intervals: [50] }).toBe(0);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
};
