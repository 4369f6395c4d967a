import { FINAL_STATUSES, isFinal, LIFECYCLE_EVENTS, TASK_STATUSES } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { nextStatus, transitionsOf } from './task.lifecycle.ts';

describe('the task lifecycle', () => {
  it('[R4] leaves a final status with no event', () => {
    for (const status of FINAL_STATUSES)
      for (const event of LIFECYCLE_EVENTS) expect(nextStatus(status, event)).toBeNull();
  });

  it.each([
    ['waiting', 'accepted', 'starting'],
    ['waiting', 'stop', 'stopped'],
    ['starting', 'started', 'running'],
    ['starting', 'failed', 'error'],
    ['starting', 'stop', 'stopping'],
    ['running', 'succeeded', 'success'],
    ['running', 'stop', 'stopping'],
    ['stopping', 'stopped', 'stopped'],
    ['stopping', 'succeeded', 'success'],
    ['stopping', 'lost', 'error'],
  ] as const)('goes from %s by %s to %s', (from, event, to) => {
    expect(nextStatus(from, event)).toBe(to);
  });

  it.each([
    ['waiting', 'started'],
    ['waiting', 'succeeded'],
    ['starting', 'succeeded'],
    ['starting', 'accepted'],
    ['stopping', 'started'],
    ['running', 'accepted'],
  ] as const)('refuses in %s the event %s', (from, event) => {
    expect(nextStatus(from, event)).toBeNull();
  });

  it('reaches a final status from every status', () => {
    for (const status of TASK_STATUSES) {
      const seen = new Set([status]);
      for (const at of seen) for (const event of LIFECYCLE_EVENTS) seen.add(nextStatus(at, event) ?? at);
      expect([...seen].some(isFinal)).toBe(true);
    }
  });

  it('lists for an event exactly the transitions that it makes', () => {
    for (const event of LIFECYCLE_EVENTS) {
      const moves = new Map(transitionsOf(event));
      for (const status of TASK_STATUSES) expect(moves.get(status) ?? null).toBe(nextStatus(status, event));
    }
  });
});
