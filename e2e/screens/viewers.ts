import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Product } from '../../tooling/product/product.ts';
import { sessionCookies } from '../console.ts';
import { PASSWORD, type People } from './people.ts';
import type { Screen, Viewer } from './screen.ts';

/** The windows in which every screen is opened. */
export const WINDOWS = {
  wide: { width: 1280, height: 860 },
  narrow: { width: 390, height: 844 },
} as const;
export type WindowName = keyof typeof WINDOWS;

export const isWindow = (name: string): name is WindowName => Object.hasOwn(WINDOWS, name);

export const isSeenIn = (screen: Screen, window: WindowName): boolean =>
  screen.only === undefined || screen.only === window;

/** Time limit for a step of a screen, in milliseconds. */
const PATIENCE = 30_000;

/** Signed-in browsers of one width, one for each kind of viewer. Each is opened when it is first needed. */
export class Viewers {
  readonly #browser: Browser;
  readonly #product: Product;
  readonly #people: People;
  readonly #window: WindowName;
  readonly #contexts = new Map<Viewer, Promise<BrowserContext>>();
  readonly #idle = new Map<Viewer, Page[]>();

  constructor(browser: Browser, product: Product, people: People, window: WindowName) {
    this.#browser = browser;
    this.#product = product;
    this.#people = people;
    this.#window = window;
  }

  async #login(viewer: Viewer): Promise<readonly [string, string] | undefined> {
    if (viewer === 'nobody') return undefined;
    if (viewer === 'admin' || viewer === 'leaver') return ['admin', this.#product.adminPassword];
    return [this.#people[viewer], PASSWORD];
  }

  async #make(viewer: Viewer): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: WINDOWS[this.#window],
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const login = await this.#login(viewer);
    if (!login) return context;
    await context.addCookies(await sessionCookies(this.#product.address, ...login));
    return context;
  }

  async #page(viewer: Viewer): Promise<Page> {
    const idle = this.#idle.get(viewer)?.pop();
    if (idle) return idle;
    const made = this.#contexts.get(viewer) ?? this.#make(viewer);
    this.#contexts.set(viewer, made);
    const page = await (await made).newPage();
    page.setDefaultTimeout(PATIENCE);
    return page;
  }

  /** Calls `work` with a page of the viewer of a screen. Screens that change the state of the page get a new page. */
  async withPage<T>({ as = 'admin', prepare }: Screen, work: (page: Page) => Promise<T>): Promise<T> {
    if (as === 'leaver') {
      const context = await this.#make(as);
      return await work(await context.newPage()).finally(() => context.close());
    }
    const page = await this.#page(as);
    try {
      return await work(page);
    } finally {
      page.removeAllListeners();
      if (prepare) await page.close();
      else {
        await page.emulateMedia({ colorScheme: 'light' });
        this.#idle.set(as, [...(this.#idle.get(as) ?? []), page]);
      }
    }
  }

  async close(): Promise<void> {
    for (const context of this.#contexts.values()) await (await context).close();
  }
}

/** Calls `work` for each item in order, a few at a time. */
export const inParallel = async <T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
