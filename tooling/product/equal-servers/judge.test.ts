import { expect, it } from 'vitest';
import { type Evidence, judgeAlerts, judgeSchedule, judgeTask } from './judge.ts';
import { exceededBy, type KnownTask } from './limits.ts';
import { LINES } from './playbooks.ts';

const GOOD: Evidence = {
  task: 7,
  project: 1,
  status: 'success',
  expected: 'success',
  starts: 1,
  numbers: Array.from({ length: LINES }, (_, number) => number),
  isClosed: true,
};

it.each([
  ['nothing', {}, []],
  ['the wrong end', { status: 'error' }, ['task 7 ended as error, not as success']],
  ['a second start', { starts: 2 }, ['task 7 ran 2 times']],
  ['a missing line', { numbers: [0, 2] }, ['the log of task 7 has the lines 0,2']],
  ['an open log', { isClosed: false }, ['the log of task 7 is not closed']],
])('the judge of a task finds %s', (_, change, wrong) => {
  expect(judgeTask({ ...GOOD, ...change })).toEqual(wrong);
});

const alert = (task: number, end: number, id = `message-${task}`) => ({ project: 1, task, id, end });

it.each([
  ['nothing in alerts in order', [alert(1, 0), alert(2, 5000)], []],
  ['nothing in a message that is repeated with its id', [alert(1, 0), alert(2, 5000), alert(1, 0)], []],
  ['a missing alert', [alert(2, 5000)], ['project 1 got 0 alerts of task 1']],
  [
    'a second message about a task',
    [alert(1, 0), alert(1, 0, 'other'), alert(2, 5000)],
    ['project 1 got 2 alerts of task 1'],
  ],
  [
    'alerts in the wrong order',
    [alert(2, 5000), alert(1, 0)],
    ['project 1 got the alert of task 1 after that of task 2'],
  ],
])('the judge of alerts finds %s', (_, alerts, wrong) => {
  expect(judgeAlerts(1, alerts, [1, 2])).toEqual(wrong);
});

it('the judge of a schedule compares its starts with the minutes', () => {
  expect(judgeSchedule('Nightly', [60_500, 120_300], 59_000, 121_000)).toEqual([]);
  expect(judgeSchedule('Nightly', [60_500], 59_000, 121_000)).toEqual(['Nightly started 1 tasks at 2 due times']);
});

const known = (change: Partial<KnownTask> = {}): KnownTask => ({
  project: 1,
  template: 1,
  locks: [],
  isParallel: true,
  ...change,
});
const LIMITS = { slots: 2, ofProject: new Map([[1, 2]]) };
const RUNS = [
  { task: 1, runner: 0 },
  { task: 2, runner: 1 },
];

it.each([
  ['nothing within the limits', known(), RUNS, []],
  [
    'a runner with too many tasks',
    undefined,
    [...RUNS, { task: 3, runner: 0 }, { task: 4, runner: 0 }],
    ['runner 0 had 3 tasks at once: 1, 3, 4'],
  ],
  [
    'a project with too many tasks',
    known(),
    [...RUNS, { task: 3, runner: 2 }],
    ['project 1 had 3 tasks at once: 1, 2, 3'],
  ],
  ['a template that runs twice', known({ isParallel: false }), RUNS, ['template 1 had 2 tasks at once: 1, 2']],
  ['a lock with two holders', known({ locks: ['db'] }), RUNS, ['db of project 1 had 2 tasks at once: 1, 2']],
])('the watcher finds %s', (_, task, runs, exceeded) => {
  const tasks = new Map(task ? runs.map((run) => [run.task, task]) : []);
  expect(exceededBy(runs, tasks, LIMITS)).toEqual(exceeded);
});
