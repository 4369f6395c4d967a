import { expect, it } from 'vitest';
import { decodeIndex, encodeIndex } from './index-codec.ts';
import { ResultIndex } from './result-index.ts';

const play = (number: number, name = 'p') =>
  ({ kind: 'play', at: number, line: 1, play: number, name, hosts: 1 }) as const;
const step = (number: number, of: number, name = 's') =>
  ({ kind: 'step', at: 1, line: 1, step: number, play: of, name, action: name, handler: false }) as const;
const failed = (of: number, host: string) =>
  ({ kind: 'host', at: 1, line: 1, step: of, host, result: 'failed', message: '' }) as const;

it('the play of each step is found at once, however many there are', () => {
  const index = new ResultIndex();
  const count = 60_000;
  const before = process.cpuUsage();
  for (let number = 1; number <= count; number += 1) index.take(play(number));
  for (let number = 1; number <= count; number += 1) {
    index.take(step(number, 1));
    index.take(failed(number, 'a'));
  }
  // Searching all plays for each step would take the processor more than a minute.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(3_000);
  expect(index.plays[0]).toMatchObject({ steps: count, bad: count });
  expect(index.plays).toHaveLength(count);
});

it('a play or step with a known number replaces the earlier one', () => {
  const index = new ResultIndex();
  for (const name of ['first', 'second']) {
    index.take(play(1, name));
    index.take(play(2, name));
    index.take(step(1, 1, name));
  }
  index.take(failed(1, 'a'));
  expect(index.plays.map(({ name, bad }) => [name, bad])).toEqual([
    ['second', 1],
    ['second', 0],
  ]);
  expect(index.steps.map(({ name, counts }) => [name, counts.failed])).toEqual([['second', 1]]);
});

it('plays and texts count once towards the size of an index', () => {
  const index = new ResultIndex();
  const grown = (take: () => void): number => {
    const before = index.bytes;
    take();
    return index.bytes - before;
  };
  const long = 'n'.repeat(1000);
  expect(grown(() => index.take(play(1, long)))).toBeGreaterThan(2000);
  expect(grown(() => index.take(step(1, 1, long)))).toBeGreaterThan(4000);
  expect(grown(() => index.take(failed(1, long)))).toBeGreaterThan(2000);
  expect(grown(() => index.take(play(1, long)))).toBe(0);
  expect(grown(() => index.take(step(1, 1, long)))).toBe(0);
  expect(decodeIndex(encodeIndex(index))?.bytes).toBeGreaterThan(8000);
});

it('an index with the maximum number of plays can be stored and loaded', () => {
  const index = new ResultIndex();
  for (let number = 1; number <= 200_000; number += 1) index.take(play(number));
  index.take(step(1, 7));
  const again = decodeIndex(encodeIndex(index));
  expect(again?.plays).toEqual(index.plays);
  again?.take(failed(1, 'a'));
  expect(again?.plays[6]).toMatchObject({ steps: 1, bad: 1 });
});

it('an index has at most as many hosts as an inventory may have', () => {
  const index = new ResultIndex();
  index.take(play(1));
  index.take(step(1, 1));
  for (let number = 1; number <= 300_002; number += 1) index.take(failed(1, `h${number}`));
  index.take(failed(1, 'h1'));
  expect(index.hosts).toHaveLength(300_000);
  expect(index.hosts[0]?.stats.failures).toBe(2);
  expect(index.steps[0]?.counts.failed).toBe(300_003);
});
