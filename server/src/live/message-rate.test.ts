import { expect, it } from 'vitest';
import { MessageRate } from './message-rate.ts';

const takeMany = (rate: MessageRate, count: number, now: number): number =>
  Array.from({ length: count }, () => rate.take(now)).filter(Boolean).length;

it('a burst of messages is allowed, then a number of messages per second', () => {
  const rate = new MessageRate(20, 60, 1000);
  expect(takeMany(rate, 100, 1000)).toBe(60);
  expect(takeMany(rate, 100, 1500)).toBe(10);
  expect(takeMany(rate, 100, 61_000)).toBe(60);
});
