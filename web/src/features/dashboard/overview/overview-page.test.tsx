import type { ActiveTask, Failure, Overview, Schedule, ScheduleWeek } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { sampleSchedule, sampleTask, sampleTemplate } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { OverviewPage } from './overview-page.tsx';

const failure = (change: Partial<Failure['remark']> = {}): Failure => ({
  ...{ id: 7, project_id: 1, fingerprint: 'f', result: 'failed', cause: null, title: 'apt is locked', action: 'apt' },
  ...{ step: 'Upgrade', trend: 'ongoing', template_id: 1, hosts: 31, open_hosts: 31, days: [] },
  seen: {
    ...{ times: 6, since: '2026-11-20T10:00:00.000Z', last: '2026-11-21T10:00:00.000Z' },
    ...{ first_task_id: 4, last_task_id: 9, fixed_by: null },
  },
  remark: {
    ...{ note: '', note_by: '', note_at: null, known: false, known_until: null, known_commit: '' },
    ...{ known_by: '', known_at: null, assignment: null },
    ...change,
  },
});

const NOTHING: Overview = {
  ...{ failures: [], failures_total: 0, broken: [], runners_online: 2, runners_away: [], slower: [], visit: null },
};

const active = (change: Partial<ActiveTask>): ActiveTask => ({
  ...sampleTask(),
  ...{ project_name: 'One', may_stop: true, may_approve: false },
  ...change,
});

const showOverview = async (
  overview: Partial<Overview>,
  tasks: ActiveTask[] = [],
  schedules: Schedule[] = [],
  week: Partial<ScheduleWeek> = {},
) => {
  const calls = answerCalls(({ path }) => {
    if (path.endsWith('/overview')) return { status: 200, body: { ...NOTHING, ...overview } };
    if (path.endsWith('/tasks/active')) return { status: 200, body: tasks };
    if (path.endsWith('/schedules')) return { status: 200, body: schedules };
    if (path.endsWith('/schedules/week'))
      return { status: 200, body: { blocks: [], frequent: [], freezes: [], more: false, ...week } };
    if (path.endsWith('/templates')) return { status: 200, body: [sampleTemplate()] };
    if (path.endsWith('/role')) return { status: 200, body: { role: 'owner', permissions: 0xffff, templates: [] } };
    if (path.endsWith('/trends'))
      return { status: 200, body: { success: 0, error: 0, before: { success: 0, error: 0 }, days: [], flaky: [] } };
    return { status: 200, body: [] };
  });
  const assign = ({ id }: Failure) => <button type="button">{`Take ${id}`}</button>;
  const runOn = ({ id, hosts }: Failure) => <button type="button">{`Run ${id} on ${hosts}`}</button>;
  await show(<OverviewPage project={1} tabs={null} charts={null} assign={assign} runOn={runOn} />);
  return calls;
};

it('the overview shows in one sentence that nothing needs a person', async () => {
  await showOverview({});
  expect(await screen.findByText(/^Nothing needs you now/)).toBeTruthy();
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
  expect(screen.getByText('runners online')).toBeTruthy();
});

it('the overview shows everything that needs a person, each with a link and one action', async () => {
  const since = new Date(Date.now() - 250_000).toISOString();
  const running_step = { step: 4, name: 'Vacuum', since, usual_ms: 22_000 };
  const silent_hosts = { ...running_step, line: 318, hosts: ['db-03.fra'], total: 1 };
  const tasks = [
    active({ id: 12, status: 'running', tpl_alias: 'Deploy', running_step, silent_hosts }),
    active({ id: 14, status: 'waiting', tpl_alias: 'Reboot' }),
    active({ id: 13, status: 'waiting', approval_state: 'pending', tpl_alias: 'Harden', may_approve: true }),
  ];
  const problem = {
    ...{ time: '2026-11-21T06:00:00.000Z', kind: 'schedule.not_started', params: {} },
    description: 'No runner with the tag restore was online.',
  };
  const away = [{ id: 3, name: 'branch-3', last_contact: '2026-11-21T06:00:00.000Z' }];
  const broken = [
    {
      ...{ template_id: 2, name: 'Certificates', task_id: 8, end_reason: null },
      ...{ since: '2026-11-21T06:00:00.000Z', runs: 2 },
    },
  ];
  await showOverview({ failures: [failure()], failures_total: 1, broken, runners_away: away }, tasks, [
    sampleSchedule({ name: 'Restore drill', problem, active: false, missing_answers: ['Snapshot'] }),
    sampleSchedule({ id: 2, name: 'Update', missing_answers: ['Version', 'Region'] }),
  ]);
  const failures = await screen.findByRole('region', { name: 'Open failures' });
  expect(within(failures).getByText(/^31 hosts in “Upgrade”: apt is locked\./)).toBeTruthy();
  expect(await within(failures).findByRole('button', { name: 'Take 7' })).toBeTruthy();
  expect(within(failures).getByRole('link', { name: 'Certificates' })).toBeTruthy();
  expect(within(failures).getByText('Failed before any host.')).toBeTruthy();
  const part = (name: string) => within(screen.getByRole('region', { name }));
  expect(part('Running now').getByRole('link', { name: 'Deploy' })).toBeTruthy();
  expect(
    part('Running now').getByText(/^db-03\.fra: no answer for 4:1\d, 95% of hosts take at most 0:22$/),
  ).toBeTruthy();
  expect(part('Running now').getByRole('link', { name: 'Vacuum' }).getAttribute('href')).toContain('line=318');
  expect(part('Running now').queryByRole('link', { name: 'Reboot' })).toBeNull();
  expect(part('Waiting to start').getByRole('link', { name: 'Reboot' })).toBeTruthy();
  expect(part('Waiting for approval').getByRole('link', { name: 'Review' })).toBeTruthy();
  expect(part('Did not start').getByText(/restore was online/)).toBeTruthy();
  expect(part('Did not start').getByText(/survey requires an answer for Version and Region\.$/)).toBeTruthy();
  expect(part('Did not start').queryByText(/Snapshot/)).toBeNull();
  expect(part('Did not start').getAllByRole('link', { name: 'Run now' })).toHaveLength(2);
  expect(part('Runners not connected').getByText('branch-3')).toBeTruthy();
  expect(screen.queryByText(/^Nothing needs you now/)).toBeNull();
  const pulse = screen.getByRole('navigation', { name: 'Overview' });
  for (const name of [/2\s*open failures/, /^1\s*running/, /^1\s*waiting/])
    expect(within(pulse).getByRole('link', { name })).toBeTruthy();
});

it('a failure that a user takes care of shows who and why, and can be run again on its hosts', async () => {
  const assignment = {
    ...{ user_id: 2, name: 'Jonas Weber', by: 'Jonas Weber', since: '2026-11-21T10:00:00.000Z' },
    note: 'old nodes still run 2.8',
  };
  await showOverview({ failures: [failure({ assignment })], failures_total: 1 });
  expect(await screen.findByText('Assigned to Jonas Weber: “old nodes still run 2.8”')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Run 7 on 31' })).toBeTruthy();
});

it('the next 24 hours show each schedule once by name, also one that is due very often', async () => {
  const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  const block = { seconds: 60, task_id: null, status: null, state: 'planned', overlaps: null, freeze: null } as const;
  const blocks = [1, 2, 3].map((hours) => ({ ...block, schedule_id: 1, time: at(hours) }));
  const schedules = [
    sampleSchedule({ id: 1, name: 'Hourly check' }),
    sampleSchedule({ id: 4, name: '', template_id: 1 }),
    sampleSchedule({ id: 2, name: 'Heartbeat', cron_format: '*/5 * * * *' }),
    sampleSchedule({ id: 3, name: 'Nightly backup' }),
  ];
  await showOverview({}, [], schedules, {
    blocks: [...blocks, { ...block, schedule_id: 3, time: at(20) }, { ...block, schedule_id: 4, time: at(21) }],
    frequent: [{ schedule_id: 2, seconds: 60 }],
  });
  const day = within(await screen.findByRole('region', { name: 'Next 24 hours' }));
  expect(await day.findByRole('link', { name: 'Hourly check 3 runs' })).toBeTruthy();
  // A schedule without a name has that of its template.
  expect(day.getByRole('link', { name: new RegExp(`${sampleTemplate().name}$`) }).getAttribute('href')).toContain(
    'edit=4',
  );
  expect(day.getByRole('link', { name: /^Heartbeat / }).getAttribute('href')).toContain('edit=2');
  expect(day.getAllByRole('link', { name: /Nightly backup$/ })).toHaveLength(1);
  expect(day.queryByText(/^4 runs$/)).toBeNull();
});

it('a template that became slower is shown with by how much, the step and a comparison', async () => {
  const slower = {
    ...{ template_id: 1, name: 'Patch', task_id: 9, before_id: 8, since: '2026-11-12T10:00:00.000Z' },
    ...{ before_ms: 60_000, after_ms: 84_000, step: 'apt : install' },
  };
  await showOverview({ slower: [slower] });
  const part = await screen.findByRole('region', { name: /^Became slower/ });
  expect(part.textContent).toContain('40% slower: 1:00 before, 1:24 now');
  const step = within(part).getByRole('link', { name: 'Step apt : install' });
  expect(step.getAttribute('href')).toMatch(/t=9&tab=timeline/);
  expect(within(part).getByRole('link', { name: 'Patch' })).toBeTruthy();
  expect(within(part).getByRole('link', { name: 'Compare' }).getAttribute('href')).toMatch(/t=9.*with=8/);
});
