/** The address of the program of a page, in its HTML. */
const ENTRY = /<script[^>]* type="module"[^>]* src="([^"]+)"/;

interface PageFilesDeps {
  readonly window: EventTarget;
  /** The address of the program of this page. */
  readonly entry: string | undefined;
  /** Requests the HTML that a server has now. */
  readonly readPage: () => Promise<string>;
}

/**
 * Finds out whether the servers have another program than this page, because they were upgraded. It checks after a lost
 * connection, when a file cannot be loaded, and when the user returns to the page.
 */
export class PageFiles {
  readonly #deps: PageFilesDeps;
  readonly #listeners = new Set<() => void>();
  #isOutdated = false;

  constructor(deps: PageFilesDeps) {
    this.#deps = deps;
    // A file may also be missing because no server answers.
    for (const name of ['vite:preloadError', 'focus']) deps.window.addEventListener(name, () => void this.check());
  }

  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Compares the program of this page with the HTML of a server. */
  async check(): Promise<void> {
    const { entry, readPage } = this.#deps;
    if (entry === undefined) return;
    // A server that does not answer now is asked after the next connection.
    const found = ENTRY.exec(await readPage().catch(() => ''))?.[1];
    if (found !== undefined && found !== entry) this.#report();
  }

  #report(): void {
    this.#isOutdated = true;
    for (const listener of this.#listeners) listener();
  }
}

/** The files of this page. */
export const pageFiles = new PageFiles({
  window,
  entry: document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? undefined,
  readPage: async () => await (await fetch(document.baseURI, { headers: { accept: 'text/html' } })).text(),
});
