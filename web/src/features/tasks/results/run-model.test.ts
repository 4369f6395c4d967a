import type { TaskStatus } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { sampleRecap, sampleRecords } from '../../../testing/sample.ts';
import {
  badHosts,
  buildRun,
  countResults,
  EMPTY_RUN,
  hostCount,
  hostNames,
  playStyle,
  stepStyle,
  wasRescued,
} from './run-model.ts';

const running = buildRun(sampleRecords);
const failed = buildRun([...sampleRecords, sampleRecap(['web-2'])]);
const rescued = buildRun([...sampleRecords, sampleRecap([])]);

describe('a run built from its records', () => {
  it('is empty before the first record', () => {
    expect(buildRun([])).toEqual(EMPTY_RUN);
  });

  it('has plays with their steps, and hosts sorted with numbers by value', () => {
    expect(running.plays.map(({ name, steps }) => [name, steps.map((step) => step.name)])).toEqual([
      ['Prepare', ['Ask', 'Copy']],
      ['Verify', ['Look']],
    ]);
    expect(running.hosts).toEqual(['web-2', 'web-10']);
    expect(running.recap).toBeUndefined();
  });

  it('ends a step when the next step or play begins', () => {
    expect(running.steps.map(({ end }) => end)).toEqual([2000, 3000, undefined]);
    expect(running.plays.map(({ end }) => end)).toEqual([3000, undefined]);
    expect(failed.steps.at(-1)?.end).toBe(4000);
    expect(failed.plays.at(-1)?.end).toBe(4000);
  });

  it('adds a step whose play is missing to the newest play', () => {
    const odd = buildRun([
      ...sampleRecords,
      { kind: 'step', at: 3200, line: 19, step: 4, play: 99, name: 'Odd', action: 'x', handler: false },
    ]);
    expect(odd.plays.at(-1)?.steps.map(({ name }) => name)).toEqual(['Look', 'Odd']);
  });

  it('counts the results of a step', () => {
    expect(countResults(running.steps[1]?.hosts ?? [])).toEqual({ changed: 1, failed: 1 });
  });
});

describe('the number of hosts of a run', () => {
  const hanging = [...sampleRecords].map((record) =>
    record.kind === 'play' ? { ...record, hosts: 3, names: ['web-2', 'web-10', 'web-3'] } : record,
  );

  it('contains hosts of the newest play that have not answered, until the run has ended', () => {
    expect([hostCount(running), hostCount(buildRun(hanging))]).toEqual([2, 3]);
    expect([...hostNames(buildRun(hanging))].sort()).toEqual(['web-10', 'web-2', 'web-3']);
    expect(hostCount(buildRun([...hanging, sampleRecap([])]))).toBe(2);
  });

  it('is that of the newest play if the names of its hosts are unknown', () => {
    const unnamed = hanging.map((record) =>
      record.kind === 'play' ? { ...record, hosts: 7, names: undefined } : record,
    );
    expect(hostCount(buildRun(unnamed))).toBe(7);
  });
});

describe('the failed hosts of a run', () => {
  it('are all hosts with a failure while the run continues', () => {
    expect(badHosts(running)).toEqual(['web-2']);
  });

  it('are those of the final counts when the run has ended', () => {
    expect(badHosts(failed)).toEqual(['web-2']);
    expect(badHosts(rescued)).toEqual([]);
    expect(wasRescued(rescued, 'web-2')).toBe(true);
    expect(wasRescued(failed, 'web-2')).toBe(false);
    expect(wasRescued(running, 'web-2')).toBe(false);
  });
});

describe('the colour of a step or a play', () => {
  const colourOf = (run: typeof running, at: number, status: TaskStatus) => {
    const step = run.steps[at];
    return step && stepStyle(run, step, status).colour;
  };

  it.each<[string, typeof running, number, TaskStatus, string]>([
    ['a finished step', running, 0, 'running', 'ok'],
    ['a failed step', running, 1, 'running', 'error'],
    ['a rescued step', rescued, 1, 'success', 'ok'],
    ['the newest step of a running task', running, 2, 'running', 'active'],
    ['the newest step while stopping', running, 2, 'stopping', 'active'],
    ['the newest step of a stopped task', running, 2, 'stopped', 'stop'],
    ['the newest step of a task that was cut off', running, 2, 'error', 'stop'],
    ['the last step of a task that succeeded', running, 2, 'success', 'ok'],
  ])('is correct for %s', (_, run, at, status, colour) => {
    expect(colourOf(run, at, status)).toBe(colour);
  });

  it.each<[string, typeof running, number, TaskStatus, string]>([
    ['a play with a failed step', running, 0, 'running', 'error'],
    ['the play that runs', running, 1, 'running', 'active'],
    ['the play that was stopped', running, 1, 'stopped', 'stop'],
    ['a play whose failure was rescued', rescued, 0, 'success', 'ok'],
  ])('is correct for %s', (_, run, at, status, colour) => {
    const play = run.plays[at];
    expect(play && playStyle(run, play, status).colour).toBe(colour);
  });
});
