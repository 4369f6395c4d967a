import type { LogLines } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { LineCache, type LogLine } from './line-cache.ts';
import { type FetchLines, LogSource, RETRY_DELAY } from './log-source.ts';

const line = (number: number): LogLine => [number, `line ${number}`];

/** A stored log of a length that a test may change, answered up to `maxLines` lines at once, and the ranges that were asked for. */
const storedLog = (length: number) => {
  const log = { length, sealed: false, asked: [] as { from?: number; limit: number }[], broken: false, maxLines: 5000 };
  const fetch: FetchLines = async (range) => {
    log.asked.push(range);
    if (log.broken) throw new Error('no connection');
    const limit = Math.min(range.limit, log.maxLines);
    const first = range.from ?? Math.max(1, log.length - limit + 1);
    const count = Math.max(0, Math.min(limit, log.length - first + 1));
    return {
      first,
      total: log.length,
      sealed: log.sealed,
      missing: 0,
      lines: Array.from({ length: count }, (_, at) => [...line(first + at)]),
    } satisfies LogLines;
  };
  return { log, fetch };
};

/** Lets answers that are under way arrive. */
const flush = async (): Promise<void> => {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
};

describe('LogSource', () => {
  it('loads the end of the log with one call', async () => {
    const { log, fetch } = storedLog(200_000);
    const source = new LogSource(fetch);
    expect(source.state.phase).toBe('loading');
    await source.openEnd();
    expect(log.asked).toEqual([{ limit: 400 }]);
    expect(source.state).toMatchObject({ phase: 'ready', total: 200_000, complete: false });
    expect(source.line(200_000)?.[1]).toBe('line 200000');
    expect(source.line(1)).toBeUndefined();
  });

  it('reports the first live lines at once, and only the latest position of a flood', async () => {
    const rests: (() => void)[] = [];
    const source = new LogSource(storedLog(0).fetch, { later: (run) => rests.push(run) });
    await source.openEnd();
    const notified: number[] = [];
    source.subscribe(() => notified.push(source.state.total));
    for (let number = 1; number <= 50; number += 1) source.live(number, [line(number)]);
    expect(notified).toEqual([1]);
    expect(source.line(50)?.[1]).toBe('line 50');
    rests.shift()?.();
    expect(notified).toEqual([1, 50]);
    rests.shift()?.();
    expect(notified).toEqual([1, 50]);
    expect(rests).toEqual([]);
    source.live(51, [line(51)]);
    expect(notified).toEqual([1, 50, 51]);
  });

  it('fetches each visible block once', async () => {
    const { log, fetch } = storedLog(10_000);
    const source = new LogSource(fetch);
    await source.openEnd();
    source.request(990, 1020);
    source.request(995, 1025);
    await flush();
    expect(log.asked.slice(1)).toEqual([
      { from: 501, limit: 500 },
      { from: 1001, limit: 500 },
    ]);
    source.request(990, 1020);
    expect(log.asked).toHaveLength(3);
    expect(source.line(1000)?.[1]).toBe('line 1000');
  });

  it('fetches the rest of a block if an answer contains only a part of it', async () => {
    const { log, fetch } = storedLog(10_000);
    const source = new LogSource(fetch);
    log.maxLines = 200;
    await source.openEnd();
    source.request(601, 700);
    await flush();
    expect(log.asked.slice(1)).toEqual([
      { from: 501, limit: 500 },
      { from: 701, limit: 300 },
      { from: 901, limit: 100 },
    ]);
    expect([501, 701, 901, 1000].map((number) => source.line(number)?.[1])).toEqual([
      'line 501',
      'line 701',
      'line 901',
      'line 1000',
    ]);
    // Of the end only its last lines had maxLines: those before them come with their block.
    source.request(9750, 9850);
    await flush();
    expect(source.line(9800)?.[1]).toBe('line 9800');
    // A part without any line, as of a log that was removed meanwhile, ends it.
    log.maxLines = 0;
    source.request(1, 10);
    await flush();
    expect(log.asked.at(-1)).toEqual({ from: 1, limit: 500 });
  });

  it('requests nothing beyond the last line, and nothing before it is open', async () => {
    const { log, fetch } = storedLog(10);
    const source = new LogSource(fetch);
    source.request(1, 100);
    expect(log.asked).toEqual([]);
    await source.openEnd();
    source.request(1, 100);
    source.request(11, 20);
    expect(log.asked).toHaveLength(1);
  });

  it('stores live lines by number, and ignores duplicates', async () => {
    const { fetch } = storedLog(2);
    const source = new LogSource(fetch);
    await source.openEnd();
    source.live(3, [line(3), line(4)]);
    source.live(4, [[0, 'not this one'], line(5)]);
    expect(source.state.total).toBe(5);
    expect([1, 2, 3, 4, 5].map((number) => source.line(number)?.[1])).toEqual([
      'line 1',
      'line 2',
      'line 3',
      'line 4',
      'line 5',
    ]);
  });

  it('fills a gap when it becomes visible', async () => {
    const { log, fetch } = storedLog(3);
    const source = new LogSource(fetch);
    await source.openEnd();
    log.length = 12;
    source.live(10, [line(10), line(11), line(12)]);
    expect(source.line(7)).toBeUndefined();
    source.request(1, 12);
    await flush();
    expect(source.line(7)?.[1]).toBe('line 7');
    expect(log.asked.at(-1)).toEqual({ from: 1, limit: 500 });
  });

  it('takes the length of the log from a `behind` message, and never becomes shorter', async () => {
    const { log, fetch } = storedLog(5);
    const source = new LogSource(fetch);
    await source.openEnd();
    log.length = 4000;
    source.behind(4000);
    expect(source.state.total).toBe(4000);
    source.behind(100);
    expect(source.state.total).toBe(4000);
    source.request(3990, 4000);
    await flush();
    expect(source.line(4000)?.[1]).toBe('line 4000');
  });

  it('does not remove lines when an older answer arrives', async () => {
    const { fetch } = storedLog(5);
    const source = new LogSource(fetch);
    const opening = source.openEnd();
    source.live(6, [line(6), line(7)]);
    await opening;
    expect(source.state.total).toBe(7);
    expect(source.state.phase).toBe('ready');
  });

  it('stays complete after the log is complete', async () => {
    const { log, fetch } = storedLog(5);
    const source = new LogSource(fetch);
    log.sealed = true;
    await source.openEnd();
    expect(source.state.complete).toBe(true);
    log.sealed = false;
    await source.openEnd();
    expect(source.state.complete).toBe(true);
  });

  it('reports an error when it cannot be opened, and can be opened again', async () => {
    const { log, fetch } = storedLog(5);
    const source = new LogSource(fetch);
    log.broken = true;
    await source.openEnd();
    expect(source.state.phase).toBe('failed');
    log.broken = false;
    await source.openEnd();
    expect(source.state).toMatchObject({ phase: 'ready', error: undefined, total: 5 });
  });

  it('keeps its lines when the request for later lines fails', async () => {
    const { log, fetch } = storedLog(5);
    const source = new LogSource(fetch);
    await source.openEnd();
    log.broken = true;
    await source.openEnd();
    expect(source.state.phase).toBe('ready');
  });

  it('requests a failed block again only after a delay', async () => {
    const { log, fetch } = storedLog(2000);
    let now = 0;
    const source = new LogSource(fetch, { now: () => now });
    await source.openEnd();
    log.broken = true;
    source.request(1, 10);
    await flush();
    source.request(1, 10);
    await flush();
    expect(log.asked).toHaveLength(2);
    now += RETRY_DELAY;
    log.broken = false;
    source.request(1, 10);
    await flush();
    expect(source.line(1)?.[1]).toBe('line 1');
  });

  it('fetches blocks again that were removed from the cache', async () => {
    const { log, fetch } = storedLog(5000);
    const source = new LogSource(fetch, { cache: new LineCache(2) });
    await source.openEnd();
    for (const from of [1, 1001, 2001]) {
      source.request(from, from + 10);
      await flush();
    }
    expect(source.line(1)).toBeUndefined();
    source.request(1, 10);
    await flush();
    expect(source.line(1)?.[1]).toBe('line 1');
    expect(log.asked.filter(({ from }) => from === 1)).toHaveLength(2);
  });

  it('notifies its listeners of each change until they unsubscribe', async () => {
    const { fetch } = storedLog(1);
    const source = new LogSource(fetch);
    let changes = 0;
    const leave = source.subscribe(() => {
      changes += 1;
    });
    await source.openEnd();
    source.live(2, [line(2)]);
    expect(changes).toBe(2);
    leave();
    source.live(3, [line(3)]);
    source.live(4, []);
    expect(changes).toBe(2);
  });
});
