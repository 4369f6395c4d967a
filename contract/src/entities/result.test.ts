import { expect, it } from 'vitest';
import { ResultRecord } from './result.ts';

const play = { kind: 'play', at: 1, line: 1, play: 1, name: 'p', hosts: 1 };
const step = { kind: 'step', at: 1, line: 1, step: 1, play: 1, name: 's', action: 'ping', handler: false };
const items = { ok: 0, changed: 0, failed: 1, skipped: 0, names: ['n'] };
const host = { kind: 'host', at: 1, line: 1, step: 1, host: 'h', result: 'failed', message: 'm', items };
const counts = { ok: 0, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };
const long = 'n'.repeat(5_001);
const endless = 'n'.repeat(10_001);

it.each([
  { ...play, play: 200_000, name: long },
  { ...step, step: 200_000, name: long, action: long },
  { ...host, host: long, message: long, delegated_to: long, items: { ...items, names: Array(20).fill(long) } },
  { kind: 'stats', at: 1, line: 1, hosts: { [long]: counts } },
])('accepts a record that a runner of any release sends: $kind', (record) => {
  expect(ResultRecord.safeParse(record).success).toBe(true);
});

it.each([
  { ...play, play: 1_000_001 },
  { ...play, name: endless },
  { ...step, step: 1_000_001 },
  { ...step, play: -1 },
  { ...step, action: endless },
  { ...host, step: 1_000_001 },
  { ...host, host: endless },
  { ...host, message: endless },
  { ...host, delegated_to: endless },
  { ...host, items: { ...items, names: [endless] } },
  { ...host, items: { ...items, names: Array(101).fill('n') } },
  { kind: 'stats', at: 1, line: 1, hosts: { [endless]: counts } },
])('refuses a record that no runner sends: %#', (record) => {
  expect(ResultRecord.safeParse(record).success).toBe(false);
});
