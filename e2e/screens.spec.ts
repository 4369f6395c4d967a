import { expect, type Page, test } from '@playwright/test';
import { drawSample } from '../testing/sample.ts';
import { Product } from '../tooling/product/product.ts';
import { type Furnished, furnish } from './screens/furnished-project.ts';
import { axeFindings, cutFindings, watchFaults } from './screens/inspection.ts';
import { openScreen, type Screen } from './screens/screen.ts';
import { SCREENS } from './screens/screens.ts';
import { speak } from './screens/speak.ts';
import { inParallel, isSeenIn, Viewers, type WindowName } from './screens/viewers.ts';

/** Pages that are looked at side by side. */
const LANES = 2;
/** Number of screens that are opened in each window size. `npm run test:full` opens all. */
const SAMPLED = 24;
/** Languages with the longest words: where they fit, the others do. */
const LONG = ['de', 'ru'] as const;

let product: Product;
let at: Furnished;

// For a machine that does ten other things; two free cores need a fifth of it.
test.setTimeout(1_200_000);

test.beforeAll(async () => {
  product = await Product.start();
  at = await furnish(product);
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

const inLongWords = async (page: Page, { again }: Screen): Promise<string[]> => {
  const findings: string[] = [];
  for (const language of LONG) {
    await speak(page, language);
    await again?.(page);
    findings.push(...(await cutFindings(page)).map((found) => `${language}: ${found}`));
  }
  return findings;
};

/** Opens a screen and tells what is wrong with it. */
const lookAt = (viewers: Viewers, window: WindowName, screen: Screen): Promise<readonly string[]> =>
  viewers.withPage(screen, async (page) => {
    const faults = watchFaults(page);
    await openScreen(page, product.address, screen, at);
    const seen = await inTwoThemes(page);
    if (window === 'narrow') seen.push(...(await inLongWords(page, screen)));
    return screen.breaks ? seen : [...faults, ...seen];
  });

for (const window of ['wide', 'narrow'] as const) {
  const about =
    window === 'wide' ? '1280 px, light and dark' : '390 px, light and dark, and with German and Russian words';
  test(`every screen opens without a fault: ${about}`, async ({ browser }) => {
    const viewers = new Viewers(browser, product, at.people, window);
    try {
      const screens = drawSample(
        `screens: ${window}`,
        SCREENS.filter((screen) => isSeenIn(screen, window)),
        SAMPLED,
      );
      await inParallel(screens, LANES, async (screen) => {
        const found = await lookAt(viewers, window, screen).catch((error: unknown) => [
          `did not open: ${String(error).slice(0, 300)}`,
        ]);
        // One that is wrong does not hide the next, nor do the findings go where time runs out.
        expect.soft(found, screen.name).toEqual([]);
      });
    } finally {
      await viewers.close();
    }
  });
}

test('the template list fits into 1280 px with every column, in languages with long words', async ({ browser }) => {
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
        await speak(page, language);
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
