import { get } from 'node:http';
import { chromium, type Page } from '@playwright/test';
import { Product } from '../../tooling/product/product.ts';
import type { Measure, Row } from '../measure.ts';
import { withProduct } from '../measured-product.ts';
import { shown } from '../statistics.ts';

/** Size of the body of an answer with gzip, in bytes. */
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

/** Signs in with the form. Resolves when the first page is completely drawn. */
const signIn = async (page: Page, product: Product, whole: string): Promise<void> => {
  await page.locator('input').first().fill('admin');
  await page.locator('input[type="password"]').fill(product.adminPassword);
  await page.locator('button[type="submit"]').click();
  await page.locator(whole).first().waitFor();
};

/** The files that were loaded so far, by URL. */
interface Loaded {
  readonly scripts: Set<string>;
  readonly styles: Set<string>;
}

const copyOf = ({ scripts, styles }: Loaded): Loaded => ({ scripts: new Set(scripts), styles: new Set(styles) });

/** @param whole selector of the element that the first page draws last */
const collect = async (product: Product, whole: string): Promise<{ atSignIn: Loaded; behind: Loaded }> => {
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
    await page.goto(product.address, { waitUntil: 'networkidle' });
    const atSignIn = copyOf(loaded);
    await signIn(page, product, whole);
    return { atSignIn, behind: loaded };
  } finally {
    await browser.close();
  }
};

const row = async (what: string, urls: Set<string>, aim?: number): Promise<Row> => {
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

/** The first page of an empty installation: the form of the first project. */
const measureEmpty = async (): Promise<Row[]> => {
  const product = await Product.start({ SIGNALBOX_RUNNER_SLOTS: '0' });
  try {
    const { behind } = await collect(product, 'main form:not(:has([type=password]))');
    return [
      await row('JavaScript up to the first page of an empty product, with the sign-in page', behind.scripts, 200),
    ];
  } finally {
    await product.dispose();
  }
};

const PLAY = '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.debug:\n        msg: done\n';

export const pageWeight: Measure = {
  name: 'page',
  title: 'Weight of the page',
  run: () =>
    withProduct({ 'done.yml': PLAY }, async ({ product, project, feed }) => {
      const { id } = await project.run(await project.template('done.yml'));
      await feed.success(id);
      // The charts below the list of tasks are drawn last.
      const { atSignIn, behind } = await collect(product, 'main section h2');
      return {
        rows: [
          await row('JavaScript of the sign-in page', atSignIn.scripts, 120),
          await row('JavaScript from there to the first page behind it, with the sign-in page', behind.scripts, 200),
          ...(await measureEmpty()),
          await row('Style sheets of the sign-in page', atSignIn.styles),
          await row('Style sheets up to the first page behind it', behind.styles),
        ],
        how: 'Chromium opens the real server without a cache, signs in and waits until the first page is completely drawn: the history of a project with a task and its charts, or, in an empty installation, the form of the first project. The numbers are the sizes of all scripts and style sheets that were requested until then, with gzip (kB of 1,000 bytes). Not counted is the code of dialogs, menus and other pages, which the page fetches later while it is idle. Browsers that accept Brotli get smaller files.',
      };
    }),
};
