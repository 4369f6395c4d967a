import type { ResultRecord } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { lineBatches, recordBatches } from './output-messages.ts';

const MANY = 100_000;
const LONG = 'x'.repeat(5_000);
const host = { kind: 'host', at: 0, line: 1, step: 1, host: 'one', result: 'ok', message: '' } as const;

describe('batches of records', () => {
  it.each<[string, ResultRecord, least: number]>([
    ['counts of no host', { kind: 'stats', at: 0, line: 1, hosts: {} }, 100],
    ['a play with a long name', { kind: 'play', at: 0, line: 1, play: 1, name: LONG, hosts: 1 }, LONG.length],
    [
      'a step with a long action',
      { kind: 'step', at: 0, line: 1, step: 1, play: 1, name: '', action: LONG, handler: false },
      LONG.length,
    ],
    ['a long message', { ...host, message: LONG }, LONG.length],
    ['a delegation to a long name', { ...host, delegated_to: LONG }, LONG.length],
    [
      'a loop with long items',
      { ...host, items: { ok: 0, changed: 0, failed: 2, skipped: 0, names: [LONG, LONG] } },
      2 * LONG.length,
    ],
  ])('%s counts in full', (_, record, least) => {
    expect(recordBatches([record])).toEqual([{ items: [record], bytes: expect.any(Number) }]);
    expect(recordBatches([record])[0]?.bytes).toBeGreaterThan(least);
  });

  it('contain all records in order, and few records in each batch', () => {
    const records = Array.from({ length: 1_000 }, (_, step) => ({ ...host, step }));
    const batches = recordBatches(records);
    expect(batches.flatMap(({ items }) => items)).toEqual(records);
    expect(Math.max(...batches.map(({ items }) => items.length))).toBe(200);
  });
});

it('batches of lines contain all lines in order, and few bytes in each batch', () => {
  const line = { number: 1, start: 0, end: 1, time: 0, isOwn: false };
  const lines = Array.from({ length: MANY }, (_, n) => ({ ...line, number: n + 1, text: `line ${n}` }));
  const batches = lineBatches(lines);
  expect(batches.flatMap(({ items }) => items)).toEqual(lines);
  expect(Math.max(...batches.map(({ bytes }) => bytes))).toBeLessThan(70_000);
  expect(lineBatches([{ ...line, text: 'x'.repeat(MANY) }])).toHaveLength(1);
});
