import { expect, it } from 'vitest';
import { judgeHosts } from './host-runs.ts';

const TOGETHER = ['start 1 check', 'start 2 check', 'end 2 check', 'end 1 check'];
const judge = (...lines: string[]) => judgeHosts(new Map([['1-host-a', [...TOGETHER, ...lines]]])).wrong;

it.each([
  ['nothing in tasks one after the other', ['start 3 change', 'end 3 change', 'start 4 check', 'end 4 check'], []],
  [
    'two tasks that change a host together',
    ['start 3 change', 'start 4 change', 'end 4 change', 'end 3 change'],
    ['tasks 3 and 4 ran on 1-host-a at once'],
  ],
  [
    'a task in check mode next to one that changes the host',
    ['start 3 change', 'start 4 check', 'end 3 change', 'end 4 check'],
    ['tasks 3 and 4 ran on 1-host-a at once'],
  ],
  ['a task that does not end', ['start 3 change'], ['task 3 did not end on 1-host-a']],
  [
    'a task that starts twice',
    ['start 3 change', 'end 3 change', 'start 3 change', 'end 3 change'],
    ['task 3 started on 1-host-a twice'],
  ],
])('the judge of hosts finds %s', (_, lines, wrong) => {
  expect(judge(...lines)).toEqual(wrong);
});

it('the judge of hosts finds a task that others overtake without bound', () => {
  const others = Array.from({ length: 21 }, (_, n) => [`start ${n + 9} change`, `end ${n + 9} change`]);
  expect(judge(...others.flat(), 'start 3 change', 'end 3 change')).toEqual([
    '21 later tasks got a host before an earlier one',
  ]);
});

it('the judge of hosts expects tasks in check mode together', () => {
  const wrong = ['no tasks in check mode were on a host together'];
  expect(judgeHosts(new Map([['1-host-a', ['start 1 check', 'end 1 check']]])).wrong).toEqual(wrong);
});
