import { afterEach, describe, expect, it } from 'vitest';
import { pickLanguage, pickLocale } from './languages.ts';
import { compareNames, locale, numberText, perLocale, setLocale } from './locale.ts';

describe('the language', () => {
  it.each<[string | undefined, string[], string]>([
    ['fr', ['de-DE', 'en'], 'fr'],
    [undefined, ['de-AT', 'fr'], 'de'],
    [undefined, ['es-ES', 'pt-PT', 'en'], 'pt'],
    [undefined, ['ZH-Hant-TW'], 'zh'],
    [undefined, ['ru'], 'ru'],
    [undefined, ['es', 'it'], 'en'],
    [undefined, [], 'en'],
    ['klingon', ['ru'], 'ru'],
    ['toString', ['de'], 'de'],
    ['', ['fr'], 'fr'],
  ])('saved as %j, wanted as %j, is %s', (saved, wanted, language) => {
    expect(pickLanguage(saved, wanted)).toBe(language);
  });
});

describe('the locale', () => {
  it.each([
    ['de', ['en-US', 'de-at', 'de-CH'], 'de-AT'],
    ['de', ['en-US'], 'de'],
    ['de', ['de'], 'de'],
    ['en', ['en-GB', 'en'], 'en-GB'],
    ['zh', ['zh'], 'zh-CN'],
    ['pt', ['en'], 'pt-BR'],
    ['pt', ['pt-PT'], 'pt-PT'],
    ['fr', ['fr-this-is-no-tag-'], 'fr'],
  ] as const)('of %s among %j is %s', (language, wanted, tag) => {
    expect(pickLocale(language, wanted)).toBe(tag);
  });

  afterEach(() => setLocale('en'));

  it('sorts by the language, and numbers by their value', () => {
    const names = ['web-10', 'Zebra', 'web-9', 'Äpfel', 'apfel'];
    setLocale('de');
    expect(names.toSorted(compareNames)).toEqual(['Äpfel', 'apfel', 'web-9', 'web-10', 'Zebra']);
    setLocale('zh-CN');
    expect(['张', '李', '王'].toSorted(compareNames)).toEqual(['李', '王', '张']);
    expect(locale()).toBe('zh-CN');
  });

  it('writes numbers as the language does', () => {
    expect(numberText(1234567)).toBe('1,234,567');
    setLocale('de');
    expect(numberText(1234567)).toBe('1.234.567');
    setLocale('ru');
    expect(numberText(1234567)).toBe('1\u00a0234\u00a0567');
  });

  it('keeps a formatter until the language changes', () => {
    const made: string[] = [];
    const format = perLocale((tag) => made.push(tag));
    expect([format(), format()]).toEqual([1, 1]);
    setLocale('de');
    expect([format(), format()]).toEqual([2, 2]);
    expect(made).toEqual(['en', 'de']);
  });
});
