import { expect, it } from 'vitest';
import { randomFor } from '../../../testing/sample.ts';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { openLogStore } from '../testing/database/log-stores.ts';
import type { Line } from './block-codec.ts';
import type { LogStore } from './log-store.ts';
import { plainText } from './plain-text.ts';

const NO_LIMITS = { lines: 1_000_000, matches: 1_000_000, ms: 1_000_000 };
const START = Date.parse('2026-11-21T10:00:00.000Z');

/** Texts that often occur in each other, with colours, tabs and signs of sources. */
const PARTS = [
  'ok',
  'OK',
  'o',
  'k',
  '\t',
  '\u001b[31m',
  '\u001b',
  '!',
  '#',
  'ſ',
  'K',
  'ß',
  '漢',
  ' ',
  '1a',
  '😀',
  '.',
  '[',
  '',
];
const SOURCES = ['runner', 'server', undefined] as const;

const drawnFrom = <T>(random: () => number, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

const drawnText = (random: () => number, most: number): string =>
  Array.from({ length: Math.ceil(random() * most) }, () => drawnFrom(random, PARTS)).join('');

const drawnLine = (random: () => number, at: number): Line => {
  const source = drawnFrom(random, SOURCES);
  // Some lines are long, so that the log has several chunks.
  const text = drawnText(random, at % 50 === 0 ? 5_000 : 8);
  return source ? [START + at * 40, text, source] : [START + at * 40, text];
};

/** Searches line by line. */
const numbersOf = (lines: readonly Line[], text: string): number[] => {
  const matcher = new RegExp(RegExp.escape(text), 'iu');
  return lines.flatMap(([, line], index) => (matcher.test(plainText(line)) ? [index + 1] : []));
};

const append = (store: LogStore, first: number, lines: readonly Line[]) =>
  store.appendOutput({ taskId: 1, epoch: 1, first, lines, offset: first + lines.length });

describeEachDatabase('a search in a log', (makeLocation) => {
  it('finds the same lines as a search line by line, in loose and packed blocks', async () => {
    const random = randomFor('log search');
    const store = await openLogStore(makeLocation);
    const lines = Array.from({ length: 600 }, (_, at) => drawnLine(random, at));
    for (let first = 0; first < lines.length; first += 60)
      await append(store, first + 1, lines.slice(first, first + 60));
    const compare = async () => {
      for (let count = 0; count < 60; count += 1) {
        const text = drawnText(random, 3);
        if (text === '') continue;
        const from = Math.ceil(random() * lines.length);
        const wanted = numbersOf(lines, text).filter((number) => number >= from);
        expect(await store.search(1, { text, from }, NO_LIMITS), JSON.stringify({ text, from })).toEqual({
          ...{ lines: wanted, next: lines.length + 1, total: lines.length },
        });
      }
    };
    await compare();
    await store.closeLog(1);
    await compare();
  }, 60_000);

  it('does not find the time or the source of a line', async () => {
    const store = await openLogStore(makeLocation);
    await append(store, 1, [
      [START, 'first', 'runner'],
      [START + 10, 'a line'],
      [START + 20, 'a a', 'server'],
    ]);
    expect((await store.search(1, { text: 'a', from: 1 }, NO_LIMITS)).lines).toEqual([2, 3]);
    expect((await store.search(1, { text: '!', from: 1 }, NO_LIMITS)).lines).toEqual([]);
    expect((await store.search(1, { text: '\t', from: 1 }, NO_LIMITS)).lines).toEqual([]);
    expect((await store.search(1, { text: 'line\na', from: 1 }, NO_LIMITS)).lines).toEqual([]);
  });

  it('ends for a text of colour codes, in a log of colour codes', async () => {
    const store = await openLogStore(makeLocation);
    const codes = (count: number) => '\u001b[m'.repeat(count);
    await append(store, 1, [
      [START, codes(400)],
      [START, `\u001b${codes(40)}x`],
    ]);
    expect((await store.search(1, { text: `${codes(60)}x`, from: 1 }, NO_LIMITS)).lines).toEqual([]);
    expect((await store.search(1, { text: '\u001bX', from: 1 }, NO_LIMITS)).lines).toEqual([2]);
  });

  it('ends at a limit and continues from there', async () => {
    const store = await openLogStore(makeLocation);
    for (let first = 1; first <= 90; first += 10)
      await append(
        store,
        first,
        Array.from({ length: 10 }, (_, at) => [START, `line ${first + at}`] as const),
      );
    const search = (from: number, limits: object) =>
      store.search(1, { text: 'line', from }, { ...NO_LIMITS, ...limits });
    const first = await search(1, { matches: 15 });
    expect(first).toMatchObject({ next: 21, total: 90 });
    expect(first.lines).toHaveLength(20);
    expect((await search(first.next, {})).lines).toHaveLength(70);
    expect(await search(1, { ms: 0 })).toMatchObject({ lines: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], next: 11 });
    expect(await search(5, { lines: 7 })).toEqual({ lines: [5, 6, 7, 8, 9, 10, 11], next: 12, total: 90 });
    expect(await search(91, {})).toEqual({ lines: [], next: 91, total: 90 });
    expect(await search(200, {})).toMatchObject({ lines: [], next: 200 });
    expect(await store.search(2, { text: 'line', from: 1 }, NO_LIMITS)).toEqual({ lines: [], next: 1, total: 0 });
  });
});
