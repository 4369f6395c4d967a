import type { ResultRecord } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { sampleRecords } from '../../../testing/sample.ts';
import type { LongFetch } from './long-run.ts';
import { type FetchResults, ResultSource } from './result-source.ts';

const noLong: LongFetch = {
  summary: () => Promise.reject(new Error('This run is short.')),
  steps: () => Promise.reject(new Error('This run is short.')),
};

/** Stored results that a test may add to, answered a few at a time. */
const stored = (records: ResultRecord[], chunk = 4) => {
  const asked: number[] = [];
  const fetch: FetchResults = async ({ from }) => {
    asked.push(from);
    return { first: from, total: records.length, records: records.slice(from - 1, from - 1 + chunk) };
  };
  return { asked, fetch };
};

describe('ResultSource', () => {
  it('loads all results with as many calls as needed', async () => {
    const { asked, fetch } = stored(sampleRecords);
    const source = new ResultSource(fetch, noLong);
    await source.load();
    expect(asked).toEqual([1, 5, 9]);
    expect(source.run.steps).toHaveLength(3);
  });

  it('requests only later results when it loads again', async () => {
    const { asked, fetch } = stored(sampleRecords, 100);
    const source = new ResultSource(fetch, noLong);
    await source.load();
    await source.load();
    expect(asked).toEqual([1, 10]);
  });

  it('stores live results in order, and ignores duplicates', async () => {
    const { asked, fetch } = stored([]);
    const source = new ResultSource(fetch, noLong);
    await source.load();
    source.live(1, sampleRecords.slice(0, 5));
    source.live(3, sampleRecords.slice(2, 9));
    expect(source.run.steps.map(({ name }) => name)).toEqual(['Ask', 'Copy', 'Look']);
    expect(source.run.steps[0]?.hosts).toHaveLength(2);
    expect(asked).toEqual([1]);
  });

  it('fetches missing results after a gap', async () => {
    const { fetch } = stored(sampleRecords, 100);
    const source = new ResultSource(fetch, noLong);
    source.live(8, sampleRecords.slice(7));
    await source.load();
    expect(source.run.steps).toHaveLength(3);
    expect(source.run.plays[0]?.steps[1]?.hosts).toHaveLength(2);
  });

  it('loads once more if it was asked to while it was loading', async () => {
    const records = sampleRecords.slice(0, 3);
    const { asked, fetch } = stored(records, 100);
    const source = new ResultSource(fetch, noLong);
    const first = source.load();
    const second = source.load();
    records.push(...sampleRecords.slice(3));
    await Promise.all([first, second]);
    expect(asked.length).toBeGreaterThan(1);
    expect(source.run.steps).toHaveLength(3);
  });

  it('notifies its listeners only of new results', async () => {
    const { fetch } = stored(sampleRecords, 100);
    const source = new ResultSource(fetch, noLong);
    let changes = 0;
    const leave = source.subscribe(() => {
      changes += 1;
    });
    await source.load();
    source.live(1, sampleRecords);
    expect(changes).toBe(1);
    leave();
  });
});
