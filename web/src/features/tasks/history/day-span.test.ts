import { describe, expect, it } from 'vitest';
import { momentsOf } from './day-span.ts';

const at = (...parts: [number, number, number]) => new Date(...parts).toISOString();
const NOW = new Date(2026, 2, 2, 15, 30);

describe('the days of the history', () => {
  it.each([
    [{}, { from: undefined, to: undefined }],
    [{ days: 1 }, { from: at(2026, 2, 2), to: undefined }],
    [{ days: 7 }, { from: at(2026, 1, 24), to: undefined }],
    [{ from: '2026-02-27' }, { from: at(2026, 1, 27), to: undefined }],
    [{ to: '2026-02-28' }, { from: undefined, to: at(2026, 2, 1) }],
    [
      { from: '2026-02-28', to: '2026-02-28' },
      { from: at(2026, 1, 28), to: at(2026, 2, 1) },
    ],
    [
      { days: 30, from: '2026-02-27' },
      { from: at(2026, 1, 27), to: undefined },
    ],
  ])('%j are from midnight to midnight in the time zone of the user', (span, moments) => {
    expect(momentsOf(span, NOW)).toEqual(moments);
  });
});
