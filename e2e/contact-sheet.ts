import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { Product } from '../tooling/product/product.ts';
import config from './playwright.config.ts';
import { cutFindings } from './screens/inspection.ts';
import { openScreen, type Screen } from './screens/screen.ts';
import { SCREENS } from './screens/screens.ts';
import { type SeededProject, seedProject } from './screens/seeded-project.ts';
import { isLanguage, LANGUAGES, type Language, setLanguage } from './screens/set-language.ts';
import { inParallel, isSeenIn, isWindow, Viewers, WINDOWS, type WindowName } from './screens/viewers.ts';

/**
 * `npm run contact-sheet -- [--language de,zh] [--window narrow] [--resume] [part of a name ...]`: pictures of every screen in every
 * language, theme and width, and sheets that show many pictures side by side. Also prints which texts are cut off.
 */
const FOLDER = join(import.meta.dirname, 'contact-sheets');
const THEMES = ['light', 'dark'] as const;
const LANES = 2;
/** Number of pictures on one sheet and in one row, small enough to be readable. */
const LAYOUT = { wide: { most: 6, columns: 3, width: 640 }, narrow: { most: 10, columns: 5, width: 390 } } as const;

const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', default: LANGUAGES.join() },
    window: { type: 'string', default: Object.keys(WINDOWS).join() },
    resume: { type: 'boolean', default: false },
  },
});
const languages = options.language.split(',').filter(isLanguage);
const windows = options.window.split(',').filter(isWindow);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const setOf = (language: Language, window: WindowName, theme: string): string => `${language}-${window}-${theme}`;
const pictureOf = (set: string, screen: Screen): string => join(FOLDER, set, `${screen.name}.png`);
const sets = (window: WindowName): string[] =>
  languages.flatMap((language) => THEMES.map((theme) => setOf(language, window, theme)));

const takeAll = async (page: Page, screen: Screen, window: WindowName): Promise<void> => {
  for (const language of languages) {
    await setLanguage(page, language);
    await screen.again?.(page);
    for (const found of await cutFindings(page)) print(`${window} ${screen.name}, ${language}: ${found}`);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.screenshot({ path: pictureOf(setOf(language, window, theme), screen) });
    }
  }
};

const isTaken = (screen: Screen, window: WindowName): boolean =>
  options.resume && sets(window).every((set) => existsSync(pictureOf(set, screen)));

/** @returns the names of the screens of which no picture could be taken */
const takePictures = async (
  browser: Browser,
  product: Product,
  at: SeededProject,
  window: WindowName,
): Promise<string[]> => {
  const viewers = new Viewers(browser, product, at.people, window);
  const wanted = SCREENS.filter(
    (screen) =>
      isSeenIn(screen, window) &&
      (parts.length === 0 || parts.some((part) => screen.name.includes(part))) &&
      !isTaken(screen, window),
  );
  const failed: string[] = [];
  await inParallel(wanted, LANES, async (screen) => {
    try {
      await viewers.withPage(screen, async (page) => {
        await openScreen(page, product.address, screen, at);
        await takeAll(page, screen, window);
      });
      print(`${window} ${screen.name}`);
    } catch (error) {
      failed.push(`${window} ${screen.name}: ${error instanceof Error ? error.message : error}`);
    }
  });
  await viewers.close();
  return failed;
};

const sheet = (
  set: string,
  names: readonly string[],
  { columns, width }: { columns: number; width: number },
): string => {
  const figures = names.map(
    (name) => `<figure><figcaption>${name}</figcaption><img src="${set}/${name}.png" width="${width}"></figure>`,
  );
  const style = `body{margin:8px;background:#777;font:14px sans-serif;display:grid;grid-template-columns:repeat(${columns},${width}px);gap:8px}
figure{margin:0}figcaption{color:#fff}img{display:block}`;
  return `<!doctype html><meta charset="utf-8"><title>${set}</title><style>${style}</style>${figures.join('\n')}\n`;
};

/** Writes a page with all pictures of a set, and takes pictures of that page in parts. */
const makeSheets = async (browser: Browser, window: WindowName, set: string): Promise<void> => {
  const layout = LAYOUT[window];
  const order = new Map(SCREENS.map(({ name }, index) => [`${name}.png`, index]));
  const names = readdirSync(join(FOLDER, set))
    .filter((file) => order.has(file))
    .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    .map((file) => file.slice(0, -'.png'.length));
  writeFileSync(join(FOLDER, `${set}.html`), sheet(set, names, layout));
  for (const file of readdirSync(FOLDER)) if (file.startsWith(`${set}-`)) rmSync(join(FOLDER, file));
  const page = await browser.newPage({ viewport: { width: layout.columns * (layout.width + 8) + 8, height: 400 } });
  const part = join(FOLDER, 'part.html');
  for (let first = 0; first < names.length; first += layout.most) {
    writeFileSync(part, sheet(set, names.slice(first, first + layout.most), layout));
    await page.goto(`file://${part}`);
    const number = String(first / layout.most + 1).padStart(2, '0');
    await page.screenshot({ path: join(FOLDER, `${set}-${number}.png`), fullPage: true });
  }
  rmSync(part, { force: true });
  await page.close();
};

const product = await Product.start();
let seeded: SeededProject | undefined;
const browser = await chromium.launch(config.use?.launchOptions);
try {
  for (const window of windows) for (const set of sets(window)) mkdirSync(join(FOLDER, set), { recursive: true });
  const at = await seedProject(product);
  seeded = at;
  for (const window of windows) {
    const failed = await takePictures(browser, product, at, window);
    for (const set of sets(window)) await makeSheets(browser, window, set);
    for (const one of failed) print(`failed: ${one}`);
    if (failed.length > 0) process.exitCode = 1;
  }
} finally {
  seeded?.release();
  await browser.close();
  await product.dispose();
}
