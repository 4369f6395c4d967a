import { waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storage } from '../ui/browser/storage.ts';
import { ago, exactTime } from '../ui/time/time.ts';
import {
  chooseLanguage,
  languageChoice,
  loadConsoleTexts,
  onLanguageChoice,
  preloadConsoleTexts,
  startLanguage,
} from './language.ts';
import type { Language } from './languages.ts';
import { translate } from './translate.ts';

const TRANSLATIONS = ['ru', 'de', 'zh', 'fr', 'pt'];

const browserWants = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags);

const fail = () => Promise.reject(new Error('The catalogue cannot be loaded'));
const never = { signIn: fail, console: fail };
const NOTHING_LOADS = { en: never, ru: never, de: never, zh: never, fr: never, pt: never };

beforeEach(() => {
  browserWants('en-US');
  // Other test files of the process may have loaded catalogues.
  for (const language of TRANSLATIONS) i18next.removeResourceBundle(language, 'translation');
});

afterEach(async () => {
  vi.restoreAllMocks();
  await chooseLanguage('en');
});

describe('the language of a page that starts', () => {
  it('is the saved language', async () => {
    browserWants('fr-FR');
    storage.setLanguage('de');
    await startLanguage();
    expect(translate('action.cancel')).toBe('Abbrechen');
    expect(languageChoice()).toBe('de');
    expect(document.documentElement.lang).toBe('de');
  });

  it('is the first language of the browser that the console has', async () => {
    browserWants('es-ES', 'pt-BR', 'en');
    await startLanguage();
    expect(translate('action.cancel')).toBe('Cancelar');
    expect(languageChoice()).toBe('system');
    expect(document.documentElement.lang).toBe('pt-BR');
  });

  it('is English otherwise', async () => {
    browserWants('es-ES');
    await startLanguage();
    expect(translate('action.cancel')).toBe('Cancel');
    expect(document.documentElement.lang).toBe('en');
  });

  it('is English if the texts cannot be loaded', async () => {
    storage.setLanguage('zh');
    await startLanguage(NOTHING_LOADS);
    expect(translate('action.cancel')).toBe('Cancel');
    expect(document.documentElement.lang).toBe('en');
    expect(storage.language()).toBe('zh');
  });

  it('follows the browser when its languages change, unless the user chose one', async () => {
    await startLanguage();
    browserWants('ru-RU');
    window.dispatchEvent(new Event('languagechange'));
    await waitFor(() => expect(translate('action.cancel')).toBe('Отмена'));
    await chooseLanguage('de');
    browserWants('ru-RU', 'en');
    window.dispatchEvent(new Event('languagechange'));
    await new Promise((resolve) => setTimeout(resolve));
    expect(translate('action.cancel')).toBe('Abbrechen');
  });
});

describe('the texts of the console', () => {
  it('are loaded in the language of the page, and in English if that fails', async () => {
    await chooseLanguage('fr');
    i18next.removeResourceBundle('fr', 'translation');
    await loadConsoleTexts();
    expect(translate('history.dashboard')).toBe('Tableau de bord');
    i18next.removeResourceBundle('fr', 'translation');
    await loadConsoleTexts(NOTHING_LOADS);
    expect(translate('history.dashboard')).toBe('Dashboard');
    expect(document.documentElement.lang).toBe('en');
  });

  it('can be loaded in advance, and change nothing if that fails', async () => {
    await chooseLanguage('fr');
    i18next.removeResourceBundle('fr', 'translation');
    await expect(preloadConsoleTexts(NOTHING_LOADS)).rejects.toThrow('cannot be loaded');
    expect(document.documentElement.lang).toBe('fr');
    await preloadConsoleTexts();
    expect(translate('history.dashboard')).toBe('Tableau de bord');
  });
});

describe('choosing a language', () => {
  it('stores it, and notifies listeners', async () => {
    const received: string[] = [];
    const stop = onLanguageChoice(() => received.push(languageChoice()));
    await chooseLanguage('ru');
    expect(storage.language()).toBe('ru');
    expect(translate('action.cancel')).toBe('Отмена');
    await chooseLanguage('system');
    expect(storage.language()).toBeUndefined();
    expect(translate('action.cancel')).toBe('Cancel');
    stop();
    await chooseLanguage('fr');
    expect(received).toEqual(['ru', 'system']);
  });

  it('changes nothing when the texts cannot be loaded', async () => {
    await chooseLanguage('de');
    const load = NOTHING_LOADS;
    await expect(chooseLanguage('zh', load)).rejects.toThrow('cannot be loaded');
    expect(translate('action.cancel')).toBe('Abbrechen');
    expect([storage.language(), languageChoice(), document.documentElement.lang]).toEqual(['de', 'de', 'de']);
  });

  it('ends with the last chosen language, even if its texts were loaded first', async () => {
    let finish: (() => void) | undefined;
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const load = {
      ...NOTHING_LOADS,
      zh: {
        console: () => import('./zh.console.texts.js'),
        signIn: async () => {
          await slow;
          return import('./zh.sign-in.texts.js');
        },
      },
    };
    const first = chooseLanguage('zh', load);
    await chooseLanguage('en', load);
    finish?.();
    await first;
    expect(translate('action.cancel')).toBe('Cancel');
    expect([storage.language(), languageChoice()]).toEqual(['en', 'en']);
  });
});

describe('times and counts', () => {
  const noon = new Date(2026, 10, 21, 12).getTime();

  it.each<[Language, string]>([
    ['en', 'Nov 21, 2026'],
    ['ru', '21 нояб. 2026'],
    ['de', '21.11.2026'],
    ['zh', '2026年11月21日'],
    ['fr', '21 nov. 2026'],
    ['pt', '21 de nov. de 2026'],
  ])('are formatted with the date of %s', async (language, date) => {
    await chooseLanguage(language);
    expect(exactTime(noon)).toContain(date);
  });

  it('have the day before the month for a British browser', async () => {
    browserWants('en-GB');
    await chooseLanguage('en');
    expect(exactTime(noon)).toContain('21 Nov 2026');
  });

  it.each<[Language, string[]]>([
    ['en', ['yesterday', '2 days ago', '5 days ago', '21 days ago']],
    ['ru', ['вчера', '2 дня назад', '5 дней назад', '21 день назад']],
    ['de', ['gestern', 'vor 2 Tagen', 'vor 5 Tagen', 'vor 21 Tagen']],
    ['zh', ['昨天', '2 天前', '5 天前', '21 天前']],
    ['fr', ['hier', 'il y a 2 jours', 'il y a 5 jours', 'il y a 21 jours']],
    ['pt', ['ontem', 'há 2 dias', 'há 5 dias', 'há 21 dias']],
  ])('are formatted in days in %s', async (language, texts) => {
    await chooseLanguage(language);
    const shown = [1, 2, 5, 21].map((days) => {
      const { key, count } = ago(noon - days * 86_400_000, noon);
      return translate(key, { count });
    });
    expect(shown).toEqual(texts);
  });

  it('use the singular for 0 in French, and the plural in English and Russian', async () => {
    await chooseLanguage('fr');
    expect(translate('run.hosts', { count: 0 })).toBe('0 hôte');
    await chooseLanguage('en');
    expect(translate('run.hosts', { count: 0 })).toBe('0 hosts');
    await chooseLanguage('ru');
    expect([0, 1, 3, 11, 21, 104].map((count) => translate('run.hosts', { count }))).toEqual([
      '0 хостов',
      '1 хост',
      '3 хоста',
      '11 хостов',
      '21 хост',
      '104 хоста',
    ]);
  });
});
