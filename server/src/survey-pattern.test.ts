import { NewSurveyVariable, type SurveyVariable } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { findBadPattern, findMismatches } from './survey-pattern.ts';
import { watchLoop } from './testing/loop-watch.ts';

const variable = (pattern: string, name = 'it'): SurveyVariable =>
  NewSurveyVariable.parse({ name, pattern }) as SurveyVariable;

describe('a pattern of a survey', () => {
  it.each(['v\\d+', '[a-z][a-z0-9-]{0,62}', '(?i)yes|no', '\\p{L}{1,100}', '[\\]]{3}', '\\{x{2,}'])(
    'may be %s',
    async (pattern) => expect(await findBadPattern([variable(pattern)])).toBeUndefined(),
  );

  it.each(['(', '(?=a)', '(a)\\1', 'a{1001}', '(a{20}){20}', '((a{10}){10}){10}', '(\\pL|\\pN){99}(a|b){99}(c|d){99}'])(
    'may not be %s',
    async (pattern) => expect(await findBadPattern([variable('a'), variable(pattern)])).toBe(1),
  );

  it('must match the whole text, which has at most 2,000 characters', async () => {
    const mismatch = async (pattern: string, it: unknown) => (await findMismatches([variable(pattern)], { it })).size;
    expect(await mismatch('a+', 'aaa')).toBe(0);
    expect(await mismatch('a+', 'aab')).toBe(1);
    expect(await mismatch('a+', 'a'.repeat(2_000))).toBe(0);
    expect(await mismatch('a+', 'a'.repeat(2_001))).toBe(1);
  });

  it('may not be one of too many complex ones', async () => {
    const survey = Array.from({ length: 40 }, () => variable('a{200}'));
    expect(await findBadPattern(survey)).toBe(30);
    const texts = Object.fromEntries(survey.map((_, n) => [`v${n}`, 'a'.repeat(200)]));
    const named = survey.map(({ pattern }, n) => variable(pattern, `v${n}`));
    expect([...(await findMismatches(named, texts))]).toEqual(Array.from({ length: 15 }, (_, n) => `v${n + 25}`));
  });

  it('[S12] of the worst kind takes the main thread for at most 50 ms', async () => {
    const worst = Array.from({ length: 20 }, (_, n) => variable('(\\pL?){49}(a|b|c|d|e|[^x]){9}(.*){49}', `v${n}`));
    const text = 'a'.repeat(1_999);
    const watch = watchLoop();
    await findMismatches(worst, Object.fromEntries(worst.map(({ name }) => [name, text])));
    const longest = watch.longestTurnMs();
    watch.stop();
    expect(longest).toBeLessThan(50);
  });
});
