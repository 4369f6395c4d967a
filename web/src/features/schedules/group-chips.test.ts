import { expect, it } from 'vitest';
import { sampleSchedule } from '../../testing/sample.ts';
import { isInGroup } from './group-chips.tsx';

it('a schedule is in one of the groups active, paused and done', () => {
  const next_start = '2026-11-25T10:00:00.000Z';
  const groupsOf = (change: Parameters<typeof sampleSchedule>[0]) =>
    (['active', 'paused', 'done', 'problem'] as const).filter((group) => isInGroup(sampleSchedule(change), group));
  expect(groupsOf({ active: true, next_start })).toEqual(['active']);
  expect(groupsOf({ active: false, next_start: null })).toEqual(['paused']);
  expect(groupsOf({ active: true, next_start: null, run_at: '2026-11-20T10:00:00.000Z' })).toEqual(['done']);
});
