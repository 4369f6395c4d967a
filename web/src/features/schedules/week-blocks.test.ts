import type { ScheduleBlock } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { arrangeBlocks, dayKey, HOUR_PX, weekDays, weekStart } from './week-blocks.ts';

const block = (hour: number, seconds: number | null): ScheduleBlock => ({
  ...{
    schedule_id: hour,
    seconds,
    task_id: null,
    status: null,
    overlaps: null,
    freeze: null,
    state: 'planned' as const,
  },
  time: new Date(2026, 10, 24, hour).toISOString(),
});

describe('the blocks of a day', () => {
  it('are as long as the usual duration, and next to each other where they would cover each other', () => {
    const placed = arrangeBlocks([block(2, 2 * 3600), block(3, 3600), block(10, null), block(23, 5 * 3600)]);
    expect(placed.map(({ top, lane, lanes }) => [top / HOUR_PX, lane, lanes])).toEqual([
      [2, 0, 2],
      [3, 1, 2],
      [10, 0, 1],
      [23, 0, 1],
    ]);
    expect(placed.map(({ height }) => height / HOUR_PX)).toEqual([2, 1, 18 / HOUR_PX, 1]);
  });

  it('belong to a week that begins on Monday', () => {
    const start = weekStart(new Date(2026, 10, 29, 23));
    expect(weekDays(start).map(dayKey)).toEqual([
      ...['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'],
      ...['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30'],
    ]);
    expect(dayKey(weekStart(new Date(2026, 10, 23)))).toBe('2026-11-23');
  });
});
