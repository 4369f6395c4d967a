import { describe, expect, it } from 'vitest';
import { sampleRecap, sampleRecords } from '../../../testing/sample.ts';
import { buildRun } from './run-model.ts';
import { logSections, type Translate } from './sections.ts';

const translate: Translate = (key, { count }) => (count === undefined ? key : `${count} ${key}`);

describe('the headers of a log', () => {
  it('are in the order of their lines, with the outcome', () => {
    const sections = logSections(buildRun(sampleRecords), 'running', translate);
    expect(sections.map(({ id, line, summary, colour }) => [id, line, summary, colour])).toEqual([
      ['play-1', 5, '2 run.steps, 2 run.hosts', 'error'],
      ['step-1', 7, '1 result.changed, 1 result.ok', 'ok'],
      ['step-2', 11, '1 result.failed, 1 result.changed', 'error'],
      ['play-2', 15, '1 run.steps, 1 run.hosts', 'active'],
      ['step-3', 17, '', 'active'],
    ]);
  });

  it('end with the recap, which is red only if a failure was not rescued', () => {
    const bad = logSections(buildRun([...sampleRecords, sampleRecap(['web-2'])]), 'error', translate).at(-1);
    expect(bad).toMatchObject({ id: 'recap', line: 20, colour: 'error', shape: 'cross' });
    const good = logSections(buildRun([...sampleRecords, sampleRecap([])]), 'success', translate);
    expect(good.at(-1)).toMatchObject({ id: 'recap', colour: 'ok' });
    expect(good[2]?.summary).toBe('1 result.changed, 1 result.rescued');
  });

  it('are unique per line: a step takes precedence over its play', () => {
    const run = buildRun([
      { kind: 'play', at: 1, line: 3, play: 1, name: 'Play', hosts: 1 },
      { kind: 'step', at: 2, line: 3, step: 1, play: 1, name: 'Step', action: 'x', handler: false },
    ]);
    expect(logSections(run, 'running', translate).map(({ id }) => id)).toEqual(['step-1']);
  });

  it('omit a step whose lines are not contiguous', () => {
    const run = buildRun([
      { kind: 'play', at: 1, line: 3, play: 1, name: 'Play', hosts: 1 },
      { kind: 'step', at: 2, line: 0, step: 1, play: 1, name: 'Free', action: 'x', handler: false },
    ]);
    expect(logSections(run, 'running', translate).map(({ id }) => id)).toEqual(['play-1']);
  });

  it('have increasing line numbers', () => {
    const run = buildRun([
      { kind: 'play', at: 1, line: 9, play: 1, name: 'Play', hosts: 1 },
      { kind: 'step', at: 2, line: 4, step: 1, play: 1, name: 'Early', action: 'x', handler: false },
      { kind: 'step', at: 3, line: 12, step: 2, play: 1, name: 'Late', action: 'x', handler: false },
    ]);
    expect(logSections(run, 'running', translate).map(({ line }) => line)).toEqual([9, 12]);
  });
});
