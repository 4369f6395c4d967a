import type { ResultRecord, Task } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { sampleRecap, sampleRecords, sampleTask } from '../../testing/sample.ts';
import { reasonLine } from './end-reason/reason-line.ts';
import { endingOf } from './end-reason/remedies.ts';
import { failuresOf } from './failures.ts';
import type { LogLine } from './log/line-cache.ts';
import { remainingSteps } from './remaining-steps.ts';
import { buildRun } from './results/run-model.ts';
import { firstTab, tabOrder } from './task-tabs.tsx';

const more: ResultRecord[] = [
  { kind: 'host', at: 3200, line: 18, step: 3, host: 'db-1', result: 'unreachable', message: 'timeout' },
  { kind: 'host', at: 3300, line: 19, step: 3, host: 'db-2', result: 'unreachable', message: 'timeout' },
  { kind: 'host', at: 3400, line: 20, step: 3, host: 'db-3', result: 'failed', message: 'timeout' },
];

describe('the failures of a task', () => {
  it('are grouped by step, kind and message, in chronological order', () => {
    const failures = failuresOf(buildRun([...sampleRecords, ...more]));
    expect(
      failures.map(({ step, hosts, message, unreachable, line }) => [step.name, hosts, message, unreachable, line]),
    ).toEqual([
      ['Copy', ['web-2'], 'disk full', false, 13],
      ['Look', ['db-1', 'db-2'], 'timeout', true, 18],
      ['Look', ['db-3'], 'timeout', false, 20],
    ]);
  });

  it('contain the log lines of the first failed host', () => {
    const of = (host: string, line: number, last_line?: number): ResultRecord => ({
      kind: 'host',
      at: 3500,
      line,
      last_line,
      step: 3,
      host,
      result: 'failed',
      message: 'no',
    });
    const run = buildRun([...sampleRecords, of('a', 30), of('b', 24, 27)]);
    expect(failuresOf(run).at(-1)).toMatchObject({ hosts: ['a', 'b'], line: 24, lastLine: 27 });
  });

  it('do not contain failures that the playbook rescued', () => {
    expect(failuresOf(buildRun([...sampleRecords, sampleRecap([])]))).toEqual([]);
  });
});

describe('the first tab of a task', () => {
  it('is the summary after a failure, even without a known reason', () => {
    expect(tabOrder(true, { hostResults: true })[0]).toBe('summary');
    expect(tabOrder(false, { hostResults: true })).not.toContain('summary');
    expect(firstTab(sampleTask({ status: 'error' }), undefined)).toBe('summary');
  });

  it('is the log otherwise', () => {
    expect(firstTab(undefined, undefined)).toBe('log');
    expect(firstTab(sampleTask({ status: 'running' }), undefined)).toBe('log');
    expect(firstTab(sampleTask({ status: 'error' }), 12)).toBe('log');
  });
});

describe('the remaining part of the progress bar', () => {
  it.each([
    { steps: 10, passed: 60, usual: 120, rest: 10 },
    { steps: 10, passed: 90, usual: 120, rest: 10 / 3 },
    { steps: 10, passed: 120, usual: 120, rest: 0 },
    { steps: 10, passed: 500, usual: 120, rest: 0 },
    { steps: 10, passed: 60, usual: undefined, rest: 0 },
    { steps: 10, passed: undefined, usual: 120, rest: 0 },
    { steps: 10, passed: 0, usual: 120, rest: 0 },
    { steps: 1, passed: 1, usual: 1000, rest: 9 },
  ])('after $passed of $usual with $steps steps is $rest', ({ steps, passed, usual, rest }) => {
    expect(remainingSteps(steps, passed, usual)).toBeCloseTo(rest, 5);
  });
});

describe('the reason of a failure before the first host', () => {
  const lines: LogLine[] = [
    [0, 'Command: ansible-playbook', 'runner'],
    [0, 'ERROR! Specified hosts and/or --limit does not match any hosts'],
    [0, ''],
    [0, 'Playbook run for 0.8 s.', 'runner'],
    [0, 'ansible-playbook ended with exit code 1 (an error).', 'runner'],
  ];
  const lineOf = (reason: Task['end_reason'], from = lines) =>
    reasonLine(reason, from.length, (line) => from[line - 1]);

  it('is shown by the line that Ansible printed, or by the last line of the log if Signalbox found it', () => {
    expect(lineOf({ code: 'limit.no_match', params: { limit: 'gone' }, text: '' })).toBe(2);
    expect(lineOf({ code: 'ansible.refused', params: { detail: 'Specified hosts' }, text: '' })).toBe(2);
    expect(lineOf({ code: 'playbook.missing', params: { path: 'site.yml' }, text: '' })).toBe(5);
    expect(lineOf(null)).toBe(5);
    expect(lineOf({ code: 'limit.no_match', params: { limit: 'gone' }, text: '' }, [])).toBe(0);
  });

  it('links to a new run if the limit comes from the task, or else to the template', () => {
    const end_reason = { code: 'limit.no_match', params: { limit: 'gone' }, text: '' } as const;
    expect(endingOf({ end_reason, limit: 'gone' }).remedy).toBe('limit');
    expect(endingOf({ end_reason, limit: '' }).remedy).toBe('template');
  });
});
