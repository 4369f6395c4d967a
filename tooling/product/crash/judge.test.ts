import type { Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { type Evidence, judge } from './judge.ts';
import { LINES } from './playbooks.ts';

const LOST = { end_reason: { code: 'supervisor.lost', params: {}, text: '' } } as const;
const STOPPED = { end_reason: { code: 'stop.user', params: { user: 'ana' }, text: '' } } as const;

const lines = (count: number): string[] => Array.from({ length: count }, (_, n) => `"line ${n}"`);

const evidence = (
  change: Partial<Evidence> & { readonly status?: Task['status']; readonly times?: Partial<Task> } = {},
): Evidence => {
  const { status = 'success', times, ...rest } = change;
  const log = rest.log ?? lines(LINES.short);
  const task = { status, created: '2026-11-21T12:00:00Z', start: '2026-11-21T12:00:01Z', end: '2026-11-21T12:00:02Z' };
  return {
    task: { ...task, ...times } as Task,
    kind: 'short',
    killed: [],
    mayBeStopped: false,
    endsWithOwnLine: status !== 'success',
    total: log.length,
    isClosed: true,
    starts: 1,
    ...rest,
    log,
  };
};

it.each<[string, Evidence]>([
  ['a success', evidence()],
  [
    'a success although processes that it does not need were killed',
    evidence({ killed: ['server', 'runner', 'watchdog'] }),
  ],
  ['an error with a reason', evidence({ status: 'error', killed: ['supervisor'], times: LOST, log: lines(3) })],
  ['a stopped task', evidence({ status: 'stopped', mayBeStopped: true, times: STOPPED, log: lines(3) })],
  [
    'a task that was stopped while it waited',
    evidence({ status: 'stopped', mayBeStopped: true, times: STOPPED, log: [], starts: 0 }),
  ],
])('accepts %s', (_, found) => {
  expect(judge(found)).toEqual([]);
});

it.each<[string, Evidence, RegExp]>([
  ['a playbook that was started twice', evidence({ starts: 2 }), /started 2 times/],
  ['a success without a start', evidence({ starts: 0 }), /without having been started/],
  [
    'a line that is missing',
    evidence({ log: lines(LINES.short).toSpliced(5, 1) }),
    /line 6 is in the position of line 5/,
  ],
  [
    'a line that came twice',
    evidence({ log: ['"line 0"', ...lines(LINES.short)] }),
    /line 0 is in the position of line 1/,
  ],
  ['a log without its end', evidence({ log: lines(LINES.short - 1) }), /lines, and in all/],
  ['a log that is open', evidence({ isClosed: false }), /not closed/],
  ['a log with another number of lines', evidence({ total: 1 }), /the API counts 1/],
  [
    'a stop without a request',
    evidence({ status: 'stopped', times: STOPPED, log: lines(3) }),
    /without a stop request/,
  ],
  [
    'a stop with another reason',
    evidence({ status: 'stopped', mayBeStopped: true, times: LOST, log: lines(3) }),
    /for the reason supervisor.lost/,
  ],
  [
    'an error without a kill',
    evidence({ status: 'error', times: LOST, log: lines(3) }),
    /no process that it needs was killed/,
  ],
  [
    'an error although only processes that it does not need were killed',
    evidence({ status: 'error', killed: ['watchdog', 'server'], times: LOST, log: lines(3) }),
    /no process that it needs was killed/,
  ],
  [
    'an error without a reason',
    evidence({ status: 'error', killed: ['supervisor'], times: { end_reason: null }, log: lines(3) }),
    /without a reason/,
  ],
  [
    'an error whose log ends with output',
    evidence({ status: 'error', killed: ['supervisor'], times: LOST, log: lines(3), endsWithOwnLine: false }),
    /does not explain the end/,
  ],
  [
    'a stop whose log ends with output',
    evidence({ status: 'stopped', mayBeStopped: true, times: STOPPED, log: lines(3), endsWithOwnLine: false }),
    /does not explain the end/,
  ],
  ['a task without an end', evidence({ times: { end: null } }), /has no end/],
  ['times that go backwards', evidence({ times: { end: '2026-11-21T11:59:59Z' } }), /go backwards/],
])('finds %s', (_, found, violation) => {
  expect(judge(found).join('\n')).toMatch(violation);
});
