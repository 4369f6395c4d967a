import { expect, it } from 'vitest';
import { sampleTask } from '../../testing/sample.ts';
import { usualTime } from './usual-time.ts';

const took = (id: number, seconds: number, change = {}) =>
  sampleTask({
    ...{ id, status: 'success', start: '2026-11-01T10:00:00.000Z', limit: '' },
    ...{ end: new Date(Date.parse('2026-11-01T10:00:00.000Z') + seconds * 1000).toISOString() },
    ...change,
  });

it('the usual time of a task is that of at least three earlier ones with the same hosts and mode', () => {
  const task = took(9, 1, { status: 'error' });
  const others = [took(5, 1, { limit: 'web-1' }), took(4, 1, { dry_run: true }), took(3, 1, { status: 'error' })];
  expect(usualTime(task, [took(8, 60), took(7, 80), ...others])).toBeUndefined();
  expect(usualTime(task, [took(8, 60), took(7, 80), took(6, 70), ...others])).toBe(70_000);
  expect(usualTime(task, [took(12, 60), took(11, 80), took(10, 70)])).toBeUndefined();
});
