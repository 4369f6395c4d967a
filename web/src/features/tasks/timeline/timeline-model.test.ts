import type { TimelineHost, TimelineStep } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { fittingText, namesWidth } from './draw-timeline.ts';
import { isUnreachable, partAt, rowOfHost, rowOfOthers, shareOf, ticksOf } from './timeline-model.ts';

const step = (number: number, at: number, end: number, line = 1): TimelineStep => ({
  ...{ step: number, play: 1, name: `Step ${number}`, line, at, end, hosts: 2, p50: 1_000, slowest: null, waited: 0 },
});
const host = (times: (number | null)[], cells = 'oc'): TimelineHost => ({
  ...{ number: 1, host: 'web-1', ms: 0, waited_for_ms: 0, cells, times },
});
const STEPS = [step(1, 0, 4_000), step(2, 4_000, 10_000)];

it('a host works from the start of a step to its result, and waits until the step ends', () => {
  const { parts } = rowOfHost(STEPS, host([1_500, 6_000]));
  expect(parts.map(({ from, done, to, letter }) => [from, done, to, letter])).toEqual([
    [0, 1_500, 4_000, 'o'],
    [4_000, 10_000, 10_000, 'c'],
  ]);
});

it('a host without a result of a step has no part of it, and the others have the median', () => {
  expect(rowOfHost(STEPS, host([null, 6_000])).parts.map((part) => part.step.step)).toEqual([2]);
  expect(rowOfOthers(STEPS, 98).parts.map(({ from, done }) => done - from)).toEqual([1_000, 1_000]);
});

it('with a free strategy a host starts with its previous result and waits for no other', () => {
  const { parts } = rowOfHost([step(1, 0, 4_000, 0), step(2, 1_000, 9_000, 0)], host([3_000, 2_000]));
  expect(parts.map(({ from, done, to }) => [from, done, to])).toEqual([
    [0, 3_000, 3_000],
    [3_000, 5_000, 5_000],
  ]);
});

it('the part at a time is found, also while the host waits', () => {
  const row = rowOfHost(STEPS, host([1_500, 1_000]));
  expect([0, 3_999, 4_001, 10_001].map((ms) => partAt(row, ms))).toEqual([0, 0, 1, undefined]);
});

it('the labels of the axis are at round times that are far enough apart', () => {
  expect(ticksOf(60_000, 12_000)).toEqual([0, 15_000, 30_000, 45_000, 60_000]);
  expect(ticksOf(3_600_000, 700_000)).toEqual([0, 1_800_000, 3_600_000]);
  expect(shareOf(step(1, 0, 4_000), 10_000)).toBe(40);
});

it('an unreachable host is unreachable until the end or its next result, and waits for none, like a failed one', () => {
  const steps = [...STEPS, step(3, 10_000, 12_000)];
  const timesOf = (times: (number | null)[], cells: string) =>
    rowOfHost(steps, host(times, cells)).parts.map((part) => [part.from, part.done, part.to, isUnreachable(part)]);
  expect(timesOf([2_000, null, null], 'u..')).toEqual([[0, 2_000, 12_000, true]]);
  expect(timesOf([2_000, null, 1_000], 'u.o')).toEqual([
    [0, 2_000, 10_000, true],
    [10_000, 11_000, 12_000, false],
  ]);
  expect(timesOf([2_000, null, null], 'f..')).toEqual([[0, 2_000, 2_000, false]]);
});

it('a name that is too long for its box ends with an ellipsis, and with no letter if none fits', () => {
  const fit = (text: string, width: number) => fittingText(text, width, ({ length }) => length * 10);
  expect(fit('Restart', 70)).toBe('Restart');
  expect(fit('Restart', 69)).toBe('Resta…');
  expect(fit('Check the port', 70)).toBe('Check…');
  expect(fit('Restart', 19)).toBe('');
});

it('the column with the names of hosts is no wider than they are', () => {
  expect([['a'], ['web-1.example', 'db-1'], ['x'.repeat(60)]].map(namesWidth)).toEqual([72, 115, 168]);
});
