import type { LogMatches } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { indexFrom, LogSearch, stepFrom } from './log-search.ts';

/** A log that is searched three lines at a time. */
const searched = (log: string[]) => {
  const asked: [string, number][] = [];
  let hold: Promise<void> = Promise.resolve();
  const search = new LogSearch(async (text, from): Promise<LogMatches> => {
    asked.push([text, from]);
    await hold;
    const part = log.slice(from - 1, from + 2);
    const lines = part.flatMap((line, at) => (line.includes(text) ? [from + at] : []));
    return { lines, next: from + part.length, total: log.length };
  });
  const done = () => expect.poll(() => search.state.isBusy).toBe(false);
  return {
    log,
    search,
    asked,
    done,
    holdUntil: (until: Promise<void>) => {
      hold = until;
    },
  };
};

describe('a search of a log', () => {
  it('searches the whole log, one part after another', async () => {
    const { search, asked, done } = searched(['a', 'b', 'a', 'a', 'b', 'b', 'a']);
    const counts: number[] = [];
    search.subscribe(() => counts.push(search.state.count));
    search.search('a');
    expect(search.state).toMatchObject({ text: 'a', isBusy: true });
    await done();
    expect(search.state).toMatchObject({ lines: [1, 3, 4, 7], count: 4, searched: 7, total: 7 });
    expect(asked).toEqual([
      ['a', 1],
      ['a', 4],
      ['a', 7],
    ]);
    expect(counts).toEqual([0, 2, 3, 4]);
  });

  it('searches only the new lines when the log grows', async () => {
    const { log, search, asked, done } = searched(['a', 'b']);
    search.search('a');
    await done();
    search.grown(2);
    log.push('a');
    search.grown(3);
    await done();
    expect(search.state).toMatchObject({ lines: [1, 3], searched: 3 });
    expect(asked.map(([, from]) => from)).toEqual([1, 3]);
  });

  it('ignores the answer to an earlier search text', async () => {
    const { search, done, holdUntil } = searched(['a', 'b']);
    const gate = Promise.withResolvers<void>();
    holdUntil(gate.promise);
    search.search('a');
    search.search('b');
    gate.resolve();
    await done();
    expect(search.state).toMatchObject({ text: 'b', lines: [2], count: 1 });
    search.search('');
    expect(search.state).toMatchObject({ text: '', count: 0, isBusy: false });
  });

  it('reports an error, and starts again on request', async () => {
    let failing = true;
    const search = new LogSearch(async () => {
      if (failing) throw new Error('no network');
      return { lines: [1], next: 2, total: 1 };
    });
    search.search('a');
    await expect.poll(() => search.state.error).toEqual(new Error('no network'));
    failing = false;
    search.grown(5);
    expect(search.state.isBusy).toBe(false);
    search.search('a');
    await expect.poll(() => search.state.lines).toEqual([1]);
  });

  it('stops when the server returns no further position', async () => {
    let calls = 0;
    const search = new LogSearch(async (_, from) => {
      calls += 1;
      return { lines: [], next: from, total: 9 };
    });
    search.search('a');
    await expect.poll(() => search.state.isBusy).toBe(false);
    expect(calls).toBe(1);
  });
});

describe('moving between the matches of a log search', () => {
  it.each([
    [1, 1, 3],
    [3, 1, 8],
    [9, 1, 3],
    [8, -1, 3],
    [3, -1, 9],
    [5, -1, 3],
    [5, 1, 8],
  ] as const)('from %i by %i to %i', (line, step, to) => {
    expect(stepFrom([3, 8, 9], line, step)).toBe(to);
  });

  it('does nothing without a match', () => {
    expect(stepFrom([], 4, 1)).toBeUndefined();
    expect(indexFrom([], 4)).toBe(0);
  });
});
