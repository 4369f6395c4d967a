import { expect, type Page, test } from '@playwright/test';
import { drawSample } from '../testing/sample.ts';
import { Product } from '../tooling/product/product.ts';
import { axeFindings, cutFindings, watchErrors } from './screens/inspection.ts';
import { openScreen, type Screen } from './screens/screen.ts';
import { SCREENS } from './screens/screens.ts';
import { type SeededProject, seedProject } from './screens/seeded-project.ts';
import { setLanguage } from './screens/set-language.ts';
import { inParallel, isSeenIn, Viewers, type WindowName } from './screens/viewers.ts';

/** Pages that are open at the same time. */
const LANES = 2;
/** Number of screens that are opened in each window size. `npm run test:full` opens all. */
const SAMPLED = 8;
/** The languages with the longest texts: if they fit, the others do too. */
const LONG = ['de', 'ru'] as const;

let product: Product;
let at: SeededProject;

// For a busy machine. Two free cores need a fifth of this time.
test.setTimeout(1_200_000);

test.beforeAll(async () => {
  product = await Product.start();
  at = await seedProject(product);
});

test.afterAll(async () => {
  at?.release();
  await product?.dispose();
});

const inTwoThemes = async (page: Page): Promise<string[]> => {
  const light = (await axeFindings(page)).map((found) => `light: ${found}`);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light, ...(await axeFindings(page, 'colours')).map((found) => `dark: ${found}`)];
};

const inLongestLanguages = async (page: Page, { again }: Screen): Promise<string[]> => {
  const findings: string[] = [];
  for (const language of LONG) {
    await setLanguage(page, language);
    await again?.(page);
    findings.push(...(await cutFindings(page)).map((found) => `${language}: ${found}`));
  }
  return findings;
};

/** Opens a screen. @returns the problems that were found */
const inspectScreen = (viewers: Viewers, window: WindowName, screen: Screen): Promise<readonly string[]> =>
  viewers.withPage(screen, async (page) => {
    const errors = watchErrors(page);
    await openScreen(page, product.address, screen, at);
    const seen = await inTwoThemes(page);
    if (window === 'narrow') seen.push(...(await inLongestLanguages(page, screen)));
    return screen.breaks ? seen : [...errors, ...seen];
  });

for (const window of ['wide', 'narrow'] as const) {
  const about =
    window === 'wide' ? '1280 px, light and dark' : '390 px, light and dark, and with German and Russian texts';
  test(`every screen opens without an error: ${about}`, async ({ browser }) => {
    const viewers = new Viewers(browser, product, at.people, window);
    try {
      const screens = drawSample(
        `screens: ${window}`,
        SCREENS.filter((screen) => isSeenIn(screen, window)),
        SAMPLED,
      );
      await inParallel(screens, LANES, async (screen) => {
        const found = await inspectScreen(viewers, window, screen).catch((error: unknown) => [
          `did not open: ${String(error).slice(0, 300)}`,
        ]);
        // Problems of all screens are collected, and reported even if the time limit is reached.
        expect.soft(found, screen.name).toEqual([]);
      });
    } finally {
      await viewers.close();
    }
  });
}

test('the template list fits into 1280 px with every column, in languages with long texts', async ({ browser }) => {
  const viewers = new Viewers(browser, product, at.people, 'wide');
  const screen = SCREENS.find(({ name }) => name === 'templates') as Screen;
  try {
    const found = await viewers.withPage(screen, async (page) => {
      await openScreen(page, product.address, screen, at);
      await expect(page.getByRole('columnheader')).toHaveCount(10);
      // Sorting adds an arrow to a column head, and an expanded row shows tasks.
      await page.getByRole('button', { name: 'Environment', exact: true }).click();
      await page.getByRole('button', { name: /^Last tasks of Betriebssystem/ }).click();
      await expect(page.getByRole('button', { name: /^Last tasks of Betriebssystem/ })).toHaveAttribute(
        'aria-expanded',
        'true',
      );
      const findings: string[] = [];
      for (const language of ['en', ...LONG] as const) {
        await setLanguage(page, language);
        const width = await page.locator('table').evaluate((table) => {
          const { scrollWidth, clientWidth } = table.parentElement as HTMLElement;
          return scrollWidth - clientWidth;
        });
        if (width > 0) findings.push(`${language}: the table scrolls by ${width} px`);
        findings.push(...(await cutFindings(page)).map((cut) => `${language}: ${cut}`));
      }
      return findings;
    });
    expect(found).toEqual([]);
  } finally {
    await viewers.close();
  }
});
