import { HOST_DAYS, MAX_TEMPLATE_RUNS } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { describe, expect, it } from 'vitest';
import { daysUntil, pastOf, type TemplatePast, type TemplateRun, withTemplateRun } from './host-template.ts';

const NOTHING = { ok: 3, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 };
const START = Date.parse('2026-11-01T10:00:00.000Z');

const run = (
  taskId: number,
  day: number,
  stats: Partial<typeof NOTHING> = {},
  more: Partial<TemplateRun> = {},
): TemplateRun => ({
  ...{ taskId, ended: new Date(START + day * DAY_MS).toISOString(), complete: true },
  stats: { ...NOTHING, ...stats },
  ...more,
});

const pastFrom = (runs: readonly TemplateRun[]): TemplatePast =>
  runs.reduce<TemplatePast | undefined>(withTemplateRun, undefined) as TemplatePast;

const FAILED = { fingerprint: 'f1', cause: 'no_space', title: 'No space left on device', line: 42 } as const;

describe('the past of a template on a host', () => {
  it('is the same in whatever order runs are added, and after adding them again', () => {
    const runs = [
      run(1, 0),
      run(2, 1, { changed: 2 }),
      run(3, 1, { failures: 1 }, { failed: FAILED }),
      run(4, 2, { unreachable: 1 }),
    ];
    const expected = pastFrom(runs);
    expect(expected).toMatchObject({ task_id: 4, outcome: 'unreachable', runs: 4 });
    expect(pastFrom([...runs, ...runs])).toEqual(expected);
    const reversed = pastFrom(runs.toReversed());
    expect(reversed).toEqual(expected);
  });

  it('has the worst outcome of each day, and forgets days that are too old', () => {
    const past = pastFrom([
      run(1, 0, { failures: 1 }),
      run(2, 0),
      run(3, 2, { changed: 1 }),
      run(4, 3, {}, { complete: false }),
    ]);
    const days = daysUntil(past, START + 4 * DAY_MS);
    expect(days).toHaveLength(HOST_DAYS);
    expect(days.slice(-5)).toEqual(['failed', null, 'changed', 'stopped', null]);
    expect(daysUntil(past, START + 31 * DAY_MS).slice(0, 3)).toEqual(['changed', 'stopped', null]);
    expect(daysUntil(past, START + 400 * DAY_MS).every((day) => day === null)).toBe(true);
    expect(daysUntil(pastFrom([run(9, 40), run(1, 0)]), START + 40 * DAY_MS).filter(Boolean)).toEqual(['ok']);
  });

  it('keeps the newest runs, and counts the others', () => {
    const runs = Array.from({ length: MAX_TEMPLATE_RUNS + 5 }, (_, at) => run(at + 1, at));
    const past = pastFrom(runs);
    expect(past.runs).toBe(MAX_TEMPLATE_RUNS + 5);
    const kept = pastOf(past);
    expect([kept.length, kept[0]?.[0]]).toEqual([MAX_TEMPLATE_RUNS, MAX_TEMPLATE_RUNS + 5]);
    expect(withTemplateRun(past, run(1, 0))).toEqual(past);
  });

  it('has the failure of the last run only', () => {
    const failed = pastFrom([run(1, 0, { failures: 1 }, { failed: FAILED })]);
    expect(failed).toMatchObject({ cause: 'no_space', title: 'No space left on device' });
    expect(withTemplateRun(failed, run(2, 1))).toMatchObject({ cause: null, title: '' });
    expect(withTemplateRun(failed, run(0, -1))).toMatchObject({ cause: 'no_space', title: 'No space left on device' });
  });
});
