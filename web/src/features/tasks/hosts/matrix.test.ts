import { describe, expect, it } from 'vitest';
import { sampleRecap, sampleRecords } from '../../../testing/sample.ts';
import { buildRun } from '../results/run-model.ts';
import { beginsPlay, hostRows } from './matrix.ts';

describe('the matrix of hosts and steps', () => {
  it('has failed hosts first, and counts the results', () => {
    const rows = hostRows(buildRun([...sampleRecords, sampleRecap(['web-2'])]));
    expect(rows.map(({ host, bad, counts }) => [host, bad, counts])).toEqual([
      ['web-2', true, { ok: 1, changed: 1, failed: 1 }],
      ['web-10', false, { ok: 2, changed: 1, failed: 0 }],
    ]);
  });

  it('contains the result of each host and step, if there is one', () => {
    const [row] = hostRows(buildRun(sampleRecords));
    expect(row?.cells.get(2)?.result).toBe('failed');
    expect(row?.cells.get(3)).toBeUndefined();
  });

  it('does not count a rescued host as failed', () => {
    expect(hostRows(buildRun([...sampleRecords, sampleRecap([])])).map(({ bad }) => bad)).toEqual([false, false]);
  });

  it('contains the first step of each play', () => {
    const { steps } = buildRun(sampleRecords);
    expect(steps.map((_, at) => beginsPlay(steps, at))).toEqual([true, false, true]);
  });
});
