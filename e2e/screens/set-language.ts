import { expect, type Page } from '@playwright/test';

/** The languages of the console. */
export const LANGUAGES = ['en', 'ru', 'de', 'zh', 'fr', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (code: string): code is Language => (LANGUAGES as readonly string[]).includes(code);

/** Changes the language of an open page, as if the language of the browser was changed. Other pages of the viewer keep theirs. */
export const setLanguage = async (page: Page, language: Language): Promise<void> => {
  await page.evaluate((chosen) => {
    Object.defineProperty(navigator, 'languages', { value: [chosen], configurable: true });
    window.dispatchEvent(new Event('languagechange'));
  }, language);
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}`));
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
};
