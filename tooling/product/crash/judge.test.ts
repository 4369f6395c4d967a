import type { Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { type Evidence, judge } from './judge.ts';
import { LINES } from './playbooks.ts';

const CUT = 'The log was cut here: nobody knows why.';
const STOPPED = 'The task was stopped.';

const said = (count: number): string[] => Array.from({ length: count }, (_, n) => `"line ${n}"`);

const evidence = (
  change: Partial<Evidence> & { readonly status?: Task['status']; readonly times?: Partial<Task> } = {},
): Evidence => {
  const { status = 'success', times, ...rest } = change;
  const log = rest.log ?? said(LINES.short);
  const task = { status, created: '2026-11-21T12:00:00Z', start: '2026-11-21T12:00:01Z', end: '2026-11-21T12:00:02Z' };
  return {
    task: { ...task, ...times } as Task,
    kind: 'short',
    struck: [],
    mayBeStopped: false,
    total: log.length,
    isSealed: true,
    starts: 1,
    ...rest,
    log,
  };
};

it.each<[string, Evidence]>([
  ['a success', evidence()],
  ['a success though what may go was killed', evidence({ struck: ['server', 'runner', 'guardian'] })],
  ['an error that says why', evidence({ status: 'error', struck: ['keeper'], log: [...said(3), CUT] })],
  ['a task that was stopped', evidence({ status: 'stopped', mayBeStopped: true, log: [...said(3), STOPPED] })],
  ['one that was stopped while it waited', evidence({ status: 'stopped', mayBeStopped: true, log: [], starts: 0 })],
])('finds nothing wrong with %s', (_, found) => {
  expect(judge(found)).toEqual([]);
});

it.each<[string, Evidence, RegExp]>([
  ['a playbook that was started twice', evidence({ starts: 2 }), /started 2 times/],
  ['a success of nothing', evidence({ starts: 0 }), /without having been started/],
  ['a line that is missing', evidence({ log: said(LINES.short).toSpliced(5, 1) }), /line 6 stands where line 5 should/],
  [
    'a line that came twice',
    evidence({ log: ['"line 0"', ...said(LINES.short)] }),
    /line 0 stands where line 1 should/,
  ],
  ['a log without its end', evidence({ log: said(LINES.short - 1) }), /lines, and in all/],
  ['a log that is open', evidence({ isSealed: false }), /not sealed/],
  ['a log that counts otherwise', evidence({ total: 1 }), /and says 1/],
  ['a stop by nobody', evidence({ status: 'stopped', log: [...said(3), STOPPED] }), /nobody stopped it/],
  ['a stop that is not said', evidence({ status: 'stopped', mayBeStopped: true, log: said(3) }), /does not say so/],
  ['an error of what was not harmed', evidence({ status: 'error', log: [CUT] }), /nothing of it was harmed/],
  [
    'an error that only what may go was killed for',
    evidence({ status: 'error', struck: ['guardian', 'server'], log: [CUT] }),
    /nothing of it was harmed/,
  ],
  ['an error without a reason', evidence({ status: 'error', struck: ['keeper'], log: said(3) }), /does not say why/],
  ['a task without an end', evidence({ times: { end: null } }), /has no end/],
  ['times that go backwards', evidence({ times: { end: '2026-11-21T11:59:59Z' } }), /go backwards/],
])('finds %s', (_, found, fault) => {
  expect(judge(found).join('\n')).toMatch(fault);
});
