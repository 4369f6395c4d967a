import { describe, expect, it } from 'vitest';
import { PollPace } from './poll-pace.ts';

/** The times at which runs poll that would each poll every 20 ms, for two seconds. */
const pollsOf = (runs: number): number[] => {
  const pace = new PollPace();
  const last = Array.from({ length: runs }, () => 0);
  const times: number[] = [];
  for (let run = 0; (last[run] ?? 0) < 2_000; run = last.indexOf(Math.min(...last))) {
    last[run] = pace.reserve((last[run] ?? 0) + 20);
    times.push(last[run] ?? 0);
  }
  return times;
};

describe('the polls of a runner', () => {
  it('are not delayed for one run', () => {
    expect(pollsOf(1).slice(0, 4)).toEqual([20, 40, 60, 80]);
  });

  it('are 125 per second for ten runs', () => {
    const { length } = pollsOf(10);
    expect(length).toBeGreaterThan(245);
    expect(length).toBeLessThan(265);
  });

  it('are delayed by at most 100 ms, however many runs there are', () => {
    const runs = 400;
    const times = pollsOf(runs);
    expect(Math.max(...times)).toBeLessThan(2_000 + 120);
    expect(times.length).toBeGreaterThan((runs * 2_000) / 130);
  });
});
