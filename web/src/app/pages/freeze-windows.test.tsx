import type { FreezeWindow, ScheduleBlock } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { SchedulesPage } from '../../features/schedules/schedules-page.tsx';
import type { SchedulesState } from '../../features/schedules/schedules-state.ts';
import { sampleFreezeWindow, sampleSchedule, sampleTemplate } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import { LAUNCH } from './launch-form.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const ACTIVE = sampleFreezeWindow({ template_id: 2, current: { from: inHours(-1), to: inHours(1) } });
const NIGHTS = sampleFreezeWindow({
  ...{ id: 4, name: 'Nights', starts_at: null, ends_at: null, scheduled_runs: 'skip' },
  ...{ cron_format: '0 1 * * *', duration_seconds: 7200, current: { from: inHours(5), to: inHours(7) } },
});
const plannedBlock = (window_id: number, held: boolean): ScheduleBlock => ({
  ...{
    schedule_id: 7,
    time: inHours(held ? 0 : 0.1),
    seconds: 60,
    task_id: null,
    status: null,
    overlaps: null,
    state: 'planned',
  },
  freeze: { window_id, until: '2026-11-25T13:14:00.000Z', held },
});
const HELD = sampleSchedule({
  ...{ id: 7, name: 'Nightly', next_start: inHours(1) },
  freeze: { window_id: 3, name: 'Year end', reason: 'Books are closed', until: inHours(1), held: true },
});

const showPage = async ({ permissions = 5, start = {} as SchedulesState, answer = { status: 204 } as Given } = {}) => {
  const answers: Record<string, unknown> = {
    '/api/project/1/role': { role: 'manager', permissions },
    '/api/project/1/templates': [sampleTemplate({ id: 2, name: 'Web' })],
    '/api/project/1/inventory': [{ id: 5, name: 'Servers' }],
    '/api/project/1/schedules': [HELD],
    '/api/project/1/freeze_windows': [ACTIVE, NIGHTS] satisfies FreezeWindow[],
    '/api/project/1/schedules/week': {
      ...{ blocks: [plannedBlock(3, true), plannedBlock(4, false)], frequent: [], more: false },
      freezes: [3, 4].map((window_id) => ({ window_id, from: inHours(-1), to: inHours(1) })),
    },
    '/api/info': { schedule_timezone: 'UTC' },
  };
  const calls = answerCalls((made) =>
    made.method === 'GET' ? { status: 200, body: answers[made.path] ?? [] } : answer,
  );
  await show(
    <TestState<SchedulesState> start={start}>
      {(state, onState) => <SchedulesPage project={1} launch={LAUNCH} state={state} onState={onState} />}
    </TestState>,
  );
  return { changes: () => calls.filter(({ method }) => method !== 'GET'), user: userEvent.setup() };
};

describe('freeze windows', () => {
  it('are listed with their time, what they freeze and why, and named by the schedule that they hold', async () => {
    await showPage();
    const section = within(await screen.findByRole('region', { name: 'Freeze windows' }));
    const [first, second] = section.getAllByRole('listitem');
    expect(first?.textContent).toMatch(/Year end active until .*Template Web, holds runs.*Books are closed/);
    expect(second?.textContent).toMatch(/Nights.* to .*Whole project, Every day at .*2 hours, UTC, skips runs/);
    expect(section.getByRole('link', { name: 'Template Web' }).getAttribute('href')).toBe('/project/1/templates/2');
    expect(await screen.findByText('held by Year end: Books are closed')).toBeTruthy();
  });

  it('are created once or repeating, with the errors of the server at their fields', async () => {
    const { changes, user } = await showPage({
      answer: { status: 400, body: { error: 'x', fields: { duration_seconds: 'must be smaller' } } },
    });
    await user.click(await screen.findByRole('button', { name: 'New freeze window' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Save freeze window' }));
    expect(await dialog.findAllByText('Required')).toHaveLength(4);
    await user.type(dialog.getByLabelText('Name'), 'Nights');
    await user.type(dialog.getByLabelText('Reason'), 'Backups');
    await user.click(dialog.getByRole('radio', { name: 'Repeating' }));
    await user.type(dialog.getByLabelText('Cron'), '0 1 * * *');
    await user.clear(dialog.getByLabelText('Duration in hours'));
    await user.type(dialog.getByLabelText('Duration in hours'), '1.5');
    await user.click(dialog.getByRole('radio', { name: 'Skip the run' }));
    await user.click(dialog.getByRole('button', { name: 'Save freeze window' }));
    expect(await dialog.findByText('must be smaller')).toBeTruthy();
    expect(changes()).toMatchObject([
      {
        ...{ method: 'POST', path: '/api/project/1/freeze_windows' },
        body: {
          ...{ name: 'Nights', reason: 'Backups', template_id: null, starts_at: null },
          ...{ cron_format: '0 1 * * *', duration_seconds: 5400, scheduled_runs: 'skip' },
        },
      },
    ]);
  });

  it('are changed without losing the seconds of their times, and deleted after a confirmation', async () => {
    const { changes, user } = await showPage();
    await user.click(await screen.findByRole('button', { name: 'Edit Year end' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save freeze window' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(changes()).toMatchObject([
      { method: 'PUT', path: '/api/project/1/freeze_windows/3', body: { template_id: 2, ends_at: ACTIVE.ends_at } },
    ]);
    await user.click(screen.getByRole('button', { name: 'Delete Year end' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(changes().at(-1)?.method).toBe('DELETE'));
  });

  it('are named by the runs that they hold or skip in the week', async () => {
    await showPage({ start: { week: 'now' } });
    expect(await screen.findByRole('button', { name: /^Nightly, .*, held by Year end until .*Nov 25/ })).toBeTruthy();
    expect(await screen.findByRole('button', { name: /^Nightly, .*, skipped by Nights$/ })).toBeTruthy();
  });

  it('are hatched in the week, and only shown to members who may not change them', async () => {
    await showPage({ permissions: 0, start: { week: 'now' } });
    expect((await screen.findAllByText('Freeze: Nights')).length).toBeGreaterThan(0);
    // A window over midnight is shown on both days.
    expect(screen.getAllByTitle('Freeze: Year end (Template Web)').length).toBeGreaterThan(0);
    const legend = within(screen.getByRole('list', { name: 'Legend' }));
    expect(legend.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain('Freeze window');
    expect(screen.queryByRole('button', { name: /freeze window|Edit/ })).toBeNull();
  });
});
