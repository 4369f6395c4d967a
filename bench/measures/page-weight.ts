import { get } from 'node:http';
import { chromium, type Page } from '@playwright/test';
import { type House, withHouse } from '../house.ts';
import type { Measure } from '../measure.ts';
import { shown } from '../statistics.ts';

/** Bytes of an answer's body as it travels to a browser that takes gzip. */
const gzipBytes = (url: string): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    response.on('end', () => resolve(bytes));
    response.on('error', reject);
  }).on('error', reject);
  return promise;
};

const sum = async (urls: Iterable<string>): Promise<number> => {
  let bytes = 0;
  for (const url of urls) bytes += await gzipBytes(url);
  return bytes / 1000;
};

/** Signs in as a person does. Resolves when the first page behind has nothing more to load. */
const signIn = async (page: Page, { product }: House): Promise<void> => {
  await page.locator('input').first().fill('admin');
  await page.locator('input[type="password"]').fill(product.adminPassword);
  await page.locator('button[type="submit"]').click();
  await page.locator('input[type="password"]').waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
};

/** What was loaded up to some moment, by address. */
interface Loaded {
  readonly scripts: Set<string>;
  readonly styles: Set<string>;
}

const copyOf = ({ scripts, styles }: Loaded): Loaded => ({ scripts: new Set(scripts), styles: new Set(styles) });

const collect = async (house: House): Promise<{ atSignIn: Loaded; behind: Loaded }> => {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    const loaded: Loaded = { scripts: new Set(), styles: new Set() };
    page.on('response', (response) => {
      const [, ending] = /\.(js|css)(?:\?|$)/.exec(response.url()) ?? [];
      if (ending === 'js') loaded.scripts.add(response.url());
      if (ending === 'css') loaded.styles.add(response.url());
    });
    await page.goto(house.product.address, { waitUntil: 'networkidle' });
    const atSignIn = copyOf(loaded);
    await signIn(page, house);
    return { atSignIn, behind: loaded };
  } finally {
    await browser.close();
  }
};

export const pageWeight: Measure = {
  name: 'page',
  title: 'Weight of the page',
  run: () =>
    withHouse({ 'readme.md': 'No playbook at all.\n' }, async (house) => {
      const { atSignIn, behind } = await collect(house);
      const row = async (what: string, urls: Set<string>, aim?: number) => {
        const weight = await sum(urls);
        return {
          what: `${what}, gzip`,
          result: `${shown(weight, 1)} kB in ${urls.size} files`,
          baseline: '–',
          ratio: '–',
          aim: aim === undefined ? '–' : `≤ ${aim} kB`,
          isMet: aim === undefined ? undefined : weight <= aim,
        };
      };
      return {
        rows: [
          await row('JavaScript of the sign-in page', atSignIn.scripts, 120),
          await row('JavaScript from there to the first page behind it, with the sign-in page', behind.scripts, 200),
          await row('Style sheets of the sign-in page', atSignIn.styles),
          await row('Style sheets up to the first page behind it', behind.styles),
        ],
        how: 'Chromium opens the real server without a cache, signs in and waits until nothing more is loaded; the scripts and style sheets that it asked for are then fetched with gzip and their bytes counted (kB of 1,000 bytes). To browsers that take it the server sends Brotli, which is smaller.',
      };
    }),
};
