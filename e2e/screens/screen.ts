import { expect, type Locator, type Page, type Request } from '@playwright/test';
import type { Furnished } from './furnished-project.ts';

/** Who looks: the administrator, a guest of the project, somebody in no project, nobody, or one whose session will end. */
export type Viewer = 'admin' | 'guest' | 'stranger' | 'nobody' | 'leaver';

/** One screen or dialog of the console, and how it is reached. */
export interface Screen {
  /** Names its pictures and its findings; also what a filter looks for. */
  readonly name: string;
  readonly path: (at: Furnished) => string;
  /** What says that it is there: a main heading, or the name of a dialog or menu. */
  readonly shows: readonly [role: 'heading' | 'dialog' | 'menu', name: string | RegExp];
  /** What to do once the address is open. Texts are English: pages are opened in it. */
  readonly open?: (page: Page, at: Furnished) => Promise<void>;
  /** What to do again when another language is spoken: a message stays in the one in which it came. */
  readonly again?: (page: Page) => Promise<unknown>;
  /** What to do before it. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** The administrator unless told. */
  readonly as?: Viewer;
  /** Where it exists at one width alone. */
  readonly only?: 'wide' | 'narrow';
  /** The screen shows a failure, so that calls fail on purpose. */
  readonly breaks?: true;
}

type More = Partial<Pick<Screen, 'open' | 'again' | 'prepare' | 'as' | 'only' | 'breaks'>>;
type Path = string | ((at: Furnished) => string);

/** An address below the furnished project, or a whole one that begins with a slash. */
const pathOf = (path: Path) => (at: Furnished) => {
  const found = typeof path === 'string' ? path : path(at);
  return found.startsWith('/') ? found : `/project/${at.project}/${found}`;
};

/** A page, told by its main heading. */
export const pageScreen = (name: string, path: Path, heading: string | RegExp, more: More = {}): Screen => ({
  name,
  path: pathOf(path),
  shows: ['heading', heading],
  ...more,
});

/** A dialog over a page, told by its name. */
export const dialogScreen = (name: string, path: Path, dialog: string | RegExp, more: More = {}): Screen => ({
  name,
  path: pathOf(path),
  shows: ['dialog', dialog],
  ...more,
});

/** An open menu, told by the button that it belongs to. */
export const menuScreen = (name: string, path: Path, menu: string | RegExp, more: More = {}): Screen => ({
  name,
  path: pathOf(path),
  shows: ['menu', menu],
  ...more,
});

const sight = (page: Page, [role, name]: Screen['shows']): Locator =>
  role === 'heading' ? page.getByRole('heading', { name, level: 1 }) : page.getByRole(role, { name });

/** Milliseconds after which a screen that does not come is given up: a busy machine is slow. */
const PATIENCE = 30_000;

/** Opens a screen and waits until all of it is there: the sign of it, its data, and its fonts. */
export const openScreen = async (page: Page, address: string, screen: Screen, at: Furnished): Promise<void> => {
  const underway = new Set<Request>();
  const begin = (request: Request) => underway.add(request);
  const end = (request: Request) => underway.delete(request);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await screen.prepare?.(page);
  await page.goto(address + screen.path(at));
  await screen.open?.(page, at);
  await expect(sight(page, screen.shows).first(), screen.name).toBeVisible({ timeout: PATIENCE });
  const busy = page.locator('[aria-busy="true"]');
  if (!screen.breaks) await expect(busy, `what is busy in ${screen.name}`).toHaveCount(0);
  await expect.poll(() => underway.size, { message: `calls of ${screen.name} that go on`, intervals: [50] }).toBe(0);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
};
