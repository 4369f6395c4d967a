import { expect, it } from 'vitest';
import { describeEachDatabase } from '../testing/database/databases.ts';
import { openLogStore as openStore } from '../testing/database/log-stores.ts';
import type { Line } from './block-codec.ts';
import { PACK_BYTES } from './log-blocks.ts';
import { PAGE_BYTES } from './log-pages.ts';

const START = Date.parse('2026-11-21T10:00:00.000Z');
const line = (number: number): Line => [START + number * 7, `line ${number} ${'é'.repeat(number % 40)}`];
const range = (first: number, count: number): Line[] =>
  Array.from({ length: count }, (_, index) => line(first + index));
const batch = (taskId: number, first: number, count: number, epoch = 1) => ({
  taskId,
  epoch,
  first,
  lines: range(first, count),
  offset: (first + count - 1) * 100,
});

describeEachDatabase('a log store', (makeLocation) => {
  it('[R6] stores every line once and in order, however batches overlap or repeat', async () => {
    const store = await openStore(makeLocation);
    let first = 1;
    for (const count of [1, 3, 250, 2, 1000, 7]) {
      await store.appendOutput(batch(1, first, count));
      // Repeats a batch, as after a lost acknowledgement, with an overlap.
      await store.appendOutput(batch(1, Math.max(1, first - 2), count + 2));
      first += count;
    }
    expect(await store.lines(1, 1, 5000)).toEqual(range(1, first - 1));
    expect((await store.head(1)).next_line).toBe(first);
  });

  it('keeps the source of each line, also in a packed block', async () => {
    const store = await openStore(makeLocation);
    const lines: Line[] = [
      [START, 'own', 'runner'],
      [START + 1, '!\tforged'],
      [START + 40, 'output'],
    ];
    await store.appendOutput({ taskId: 1, epoch: 1, first: 1, lines, offset: 3 });
    expect(await store.lines(1, 1, 10)).toEqual(lines);
    const last: Line = [START + 50, 'last', 'server'];
    await store.closeLog(1, last);
    expect(await store.lines(1, 1, 10)).toEqual([...lines, last]);
  });

  it('stores nothing of a batch after a gap, and returns where to continue', async () => {
    const store = await openStore(makeLocation);
    await store.appendOutput(batch(1, 1, 10));
    const { head, fresh } = await store.appendOutput(batch(1, 12, 5));
    expect(fresh).toEqual([]);
    expect(head.next_line).toBe(11);
    expect(head.offset).toBe(1000);
  });

  it('[R2] refuses batches of an older lease', async () => {
    const store = await openStore(makeLocation);
    await store.appendOutput(batch(1, 1, 3, 2));
    expect((await store.appendOutput(batch(1, 4, 3, 1))).fresh).toEqual([]);
    expect((await store.appendOutput(batch(1, 4, 3, 3))).fresh).toHaveLength(3);
  });

  it('[R4] appends nothing to a closed log', async () => {
    const store = await openStore(makeLocation);
    await store.appendOutput(batch(1, 1, 3));
    expect((await store.closeLog(1)).head.closed).toBe(true);
    expect((await store.appendOutput(batch(1, 4, 3))).fresh).toEqual([]);
    expect(await store.lines(1, 1, 10)).toEqual(range(1, 3));
  });

  it('[R4] closes a log with a last line once, after everything stored before', async () => {
    const store = await openStore(makeLocation);
    const [, closed] = await Promise.all([
      store.appendOutput(batch(1, 1, 3)),
      store.closeLog(1, line(4)),
      store.appendOutput(batch(1, 4, 3)),
    ]);
    expect(closed).toMatchObject({ fresh: [line(4)], head: { next_line: 5, closed: true } });
    expect(await store.closeLog(1, line(5))).toMatchObject({ fresh: [], head: { next_line: 5, closed: true } });
    expect(await store.lines(1, 1, 10)).toEqual(range(1, 4));
    // Also for a log without any line.
    await store.closeLog(2, line(1));
    expect(await store.lines(2, 1, 10)).toEqual(range(1, 1));
  });

  it('returns any range of loose and packed blocks, also after a restart', async () => {
    const store = await openStore(makeLocation);
    const total = 30_000;
    const writes: Promise<unknown>[] = [];
    for (let first = 1; first <= total; first += 500) writes.push(store.appendOutput(batch(1, first, 500)));
    await Promise.all(writes);
    expect(range(1, total).reduce((sum, [, text]) => sum + text.length, 0)).toBeGreaterThan(2 * PACK_BYTES);
    await store.reopen();
    for (const [from, limit] of [
      [1, 1],
      [499, 3],
      [total - 10, 100],
      [12_345, 5000],
      [total + 1, 5],
      [777, 1],
    ] as const) {
      expect(await store.lines(1, from, limit)).toEqual(range(from, Math.max(0, Math.min(limit, total - from + 1))));
    }
  });

  it('separates tasks, and removes one without a trace', async () => {
    const store = await openStore(makeLocation);
    await Promise.all([1, 2, 3].map((taskId) => store.appendOutput(batch(taskId, 1, taskId))));
    await store.remove([2]);
    expect(await store.lines(2, 1, 10)).toEqual([]);
    expect((await store.head(2)).next_line).toBe(1);
    expect(await store.lines(3, 1, 10)).toEqual(range(1, 3));
  });

  it('stores results next to the lines', async () => {
    const store = await openStore(makeLocation);
    const record = (play: number) => ({
      kind: 'play',
      play,
      name: 'Ünïcode\nand a break',
      at: START,
      line: 1,
      hosts: 3,
    });
    await store.appendResults({ taskId: 1, epoch: 1, first: 1, records: [record(1), record(2)] });
    await store.appendResults({ taskId: 1, epoch: 1, first: 2, records: [record(2), record(3)] });
    await store.closeLog(1);
    expect(await store.results(1, 1, 10)).toEqual([record(1), record(2), record(3)]);
    expect(await store.results(1, 3, 10)).toEqual([record(3)]);
  });

  it('ends a page of long lines early, and the next page continues there, from either end', async () => {
    const store = await openStore(makeLocation);
    const long = Array.from({ length: 700 }, (_, at): Line => [START + at, `${at} ${'é'.repeat(at < 600 ? 8000 : 8)}`]);
    for (let at = 0; at < 600; at += 50) {
      await store.appendOutput({ taskId: 1, epoch: 1, first: at + 1, lines: long.slice(at, at + 50), offset: at });
    }
    // The end consists of many small blocks, more than one read fetches.
    for (let at = 600; at < 700; at += 1) {
      await store.appendOutput({ taskId: 1, epoch: 1, first: at + 1, lines: long.slice(at, at + 1), offset: at });
    }
    const bytesOf = (lines: readonly Line[]) => lines.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
    const forwards: Line[][] = [];
    for (let next = 1; next <= 700; next += forwards.at(-1)?.length ?? 700)
      forwards.push(await store.lines(1, next, 5000));
    expect(forwards.flat()).toEqual(long);
    const backwards: Line[][] = [];
    for (let end = 701; end > 1; end -= backwards[0]?.length ?? 701) {
      backwards.unshift(await store.linesBefore(1, end, 5000));
    }
    expect(backwards.flat()).toEqual(long);
    for (const pages of [forwards, backwards]) {
      expect(pages.map(bytesOf).filter((bytes) => bytes > PAGE_BYTES)).toEqual([]);
      expect(pages).toHaveLength(3);
    }
    expect(await store.lines(1, 599, 5000, 1)).toEqual(long.slice(598, 599));
    expect(await store.linesBefore(1, 680, 90)).toEqual(long.slice(589, 679));
    expect(await store.linesBefore(1, 1, 70)).toEqual([]);
  });

  it('ends a page of long records early, with at least one', async () => {
    const store = await openStore(makeLocation);
    const record = (at: number, message: string) => ({
      kind: 'host',
      at,
      line: 1,
      step: 1,
      host: 'a',
      result: 'failed',
      message,
    });
    const long = Array.from({ length: 100 }, (_, at) => record(at + 1, 'x'.repeat(at === 70 ? PAGE_BYTES : 100_000)));
    const before = [
      { kind: 'play', play: 1, name: 'Long', at: 1, line: 1, hosts: 1 },
      { kind: 'step', play: 1, step: 1, name: 'Long', action: 'shell', at: 1, line: 1, handler: false },
    ];
    for (let at = 0; at < 100; at += 10) {
      const records = [...(at === 0 ? before : []), ...long.slice(at, at + 10)];
      await store.appendResults({ taskId: 1, epoch: 1, first: at === 0 ? 1 : at + 3, records });
    }
    const pagesOf = async (read: (from: number) => Promise<readonly unknown[] | undefined>, total: number) => {
      const pages: (readonly unknown[])[] = [];
      for (let next = 1; next <= total; next += pages.at(-1)?.length ?? total) pages.push((await read(next)) ?? []);
      return pages;
    };
    for (const [pages, all] of [
      [await pagesOf((from) => store.results(1, from, 5000), 102), [...before, ...long]],
      [await pagesOf(async (from) => (await store.resultFailures(1, from, 5000)).records, 100), long],
      [await pagesOf(async (from) => (await store.resultsOfHost(1, 1, 1, from, 5000))?.records, 100), long],
    ] as const) {
      expect(pages.flat()).toEqual(all);
      expect(pages.map((page) => page.length - (all.length - 100 && page === pages[0] ? 2 : 0))).toEqual([
        41, 29, 1, 29,
      ]);
    }
  });
});
