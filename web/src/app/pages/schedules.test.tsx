import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { SchedulesPage } from '../../features/schedules/schedules-page.tsx';
import type { SchedulesState } from '../../features/schedules/schedules-state.ts';
import { sampleSchedule, sampleTemplate, sampleVariable } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import { dayAndTime, ownZone, zoneText } from '../../ui/time/when-text.ts';
import { LAUNCH } from './launch-form.ts';

const NIGHTLY = sampleSchedule({
  ...{ id: 7, name: 'Nightly', timezone: 'America/New_York' },
  next_times: ['2026-10-24T15:00:00.000Z', '2026-11-02T16:00:00.000Z'],
  next_start: '2026-10-24T15:00:30.000Z',
  problem: {
    ...{ time: '2026-10-23T15:00:00.000Z', kind: 'schedule.not_started', params: {} },
    description: 'Schedule Nightly of Web started no task: There is no successful build to deploy.',
  },
});
const TEMPLATE = sampleTemplate({
  ...{ id: 2, name: 'Web' },
  survey_vars: [
    sampleVariable({ name: 'count', title: 'How many', type: 'int', required: true }),
    sampleVariable({ name: 'token', title: 'Token', type: 'secret', required: true }),
  ],
});

const showPage = async (
  start: SchedulesState = {},
  answer: Given = { status: 204 },
  permissions = 5,
  changed: Record<string, unknown> = {},
) => {
  const answers: Record<string, unknown> = {
    '/api/project/1/role': { role: 'manager', permissions },
    '/api/project/1/templates': [TEMPLATE],
    '/api/project/1/schedules': [{ ...NIGHTLY, secret_answers: ['token'] }],
    '/api/project/1/schedules/outcomes': [
      {
        schedule_id: 7,
        tasks: [{ id: 12, status: 'error', start: '2026-10-22T15:00:00Z', end: '2026-10-22T15:01:00Z' }],
      },
    ],
    '/api/info': { schedule_timezone: 'UTC' },
    ...changed,
  };
  const calls = answerCalls((made) =>
    made.method === 'GET' ? { status: 200, body: answers[made.path] ?? [] } : answer,
  );
  await show(
    <TestState<SchedulesState> start={start}>
      {(state, onState) => <SchedulesPage project={1} launch={LAUNCH} state={state} onState={onState} />}
    </TestState>,
  );
  const changes = () => calls.filter(({ method }) => method !== 'GET');
  return { calls, changes, user: userEvent.setup() };
};

describe('the page of schedules', () => {
  it('shows when each is due, why the last due time started no task, and how tasks ended', async () => {
    const { user } = await showPage();
    const row = within((await screen.findByText('Nightly')).closest('tr') as HTMLElement);
    expect(row.getByText(/^Every day at/)).toBeTruthy();
    expect(row.getByText('New York')).toBeTruthy();
    expect(row.getByTitle(NIGHTLY.problem?.description ?? '')).toBeTruthy();
    expect(await row.findByRole('img', { name: /1 failed/ })).toBeTruthy();
    await user.click(row.getByRole('button', { name: 'Next runs of Nightly' }));
    const times = within(screen.getByRole('list', { name: 'Next five runs' }));
    // New York sets its clocks back on 1 November.
    expect(times.getAllByRole('listitem').map((item) => item.textContent?.includes('clocks change'))).toEqual([
      false,
      true,
    ]);
    expect(screen.getByRole('list', { name: 'Last tasks' }).textContent).toContain('#12');
  });

  it('shows one moment in the time zone of the user, and names the freeze window of a due time', async () => {
    const run_at = '2026-12-01T04:00:00.000Z';
    const freeze = { window_id: 1, name: 'Year end', reason: 'Books', until: '2026-12-02T04:00:00.000Z', held: true };
    const once = { run_at, cron_format: '', next_times: [run_at], next_freezes: [freeze], problem: null };
    const { user } = await showPage({}, undefined, 5, { '/api/project/1/schedules': [{ ...NIGHTLY, ...once }] });
    const row = within((await screen.findByText('Nightly')).closest('tr') as HTMLElement);
    expect(row.getByText(`Once, ${dayAndTime(run_at)}`).nextSibling?.textContent).toBe(zoneText(ownZone()));
    await user.click(row.getByRole('button', { name: 'Next runs of Nightly' }));
    const times = within(screen.getByRole('list', { name: 'Next five runs' }));
    expect(times.getByTitle('Books').textContent).toBe(`held by Year end until ${dayAndTime(freeze.until)}`);
  });

  it('offers no restricted template, and does not let a user with a grant change its schedules', async () => {
    const role = { role: 'manager', permissions: 5 };
    const templates = [{ template_id: 2, restricted: true, rights: ['see', 'run', 'edit'] }];
    const { user } = await showPage({}, undefined, 5, {
      '/api/project/1/role': { ...role, templates },
      '/api/project/1/templates': [TEMPLATE, sampleTemplate({ id: 3, name: 'Open' })],
    });
    const row = within((await screen.findByText('Nightly')).closest('tr') as HTMLElement);
    expect(row.getByRole<HTMLInputElement>('switch', { name: 'Active: Nightly' }).disabled).toBe(true);
    expect(row.queryByRole('button', { name: /Delete/ })).toBeNull();
    expect(row.queryByRole('checkbox')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'New schedule' }));
    await user.click(await screen.findByRole('combobox', { name: 'Template' }));
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Open']);
  });

  it('pauses a schedule with its switch', async () => {
    const { changes, user } = await showPage();
    await user.click(await screen.findByRole('switch', { name: 'Active: Nightly' }));
    await waitFor(() =>
      expect(changes()).toMatchObject([{ method: 'PUT', path: '/api/project/1/schedules/7', body: { active: false } }]),
    );
  });

  it('pauses the selected schedules with one call', async () => {
    const others = [sampleSchedule({ id: 8, name: 'Weekly' }), sampleSchedule({ id: 9, name: 'Off', active: false })];
    const { changes, user } = await showPage({}, { status: 200, body: { done: [7, 8], refused: [] } }, 5, {
      '/api/project/1/schedules': [NIGHTLY, ...others],
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    const bar = within(await screen.findByRole('toolbar'));
    expect(bar.getByRole('button', { name: 'Resume' })).toBeTruthy();
    await user.click(bar.getByRole('button', { name: 'Pause' }));
    await waitFor(() =>
      expect(changes().map(({ path }) => path)).toEqual(['/api/project/1/schedules/selected/active']),
    );
    expect(changes()[0]?.body).toEqual({ ids: [7, 8], active: false });
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
  });

  it('filters the list by state, and starts a task with the values of a schedule', async () => {
    const paused = sampleSchedule({ id: 8, name: 'Weekly', active: false });
    const { user } = await showPage({}, undefined, 5, { '/api/project/1/schedules': [NIGHTLY, paused] });
    const row = (await screen.findByText('Weekly')).closest('tr');
    await user.click(within(row as HTMLElement).getByRole('button', { name: 'Next runs of Weekly' }));
    expect(row?.nextElementSibling?.textContent).toBe('Paused');
    const chips = within(screen.getByRole('group', { name: 'Filter by state' }));
    expect(chips.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Active1',
      'Paused1',
      'With a problem1',
    ]);
    await user.click(chips.getByRole('button', { name: /Paused/ }));
    expect(screen.queryByText('Nightly')).toBeNull();
    await user.click(chips.getByRole('button', { name: /With a problem/ }));
    expect(screen.queryByText('Weekly')).toBeNull();
    const link = screen.getByRole('link', { name: 'Run Nightly now' });
    expect(link.getAttribute('href')).toContain('run=2&schedule=7');
  });

  it('fetches the week as soon as the pointer is on its tab', async () => {
    const week = { blocks: [], frequent: [], freezes: [], more: false };
    const { calls, user } = await showPage({}, undefined, 5, { '/api/project/1/schedules/week': week });
    const weeks = () => calls.filter(({ path }) => path.endsWith('/week'));
    await screen.findByRole('button', { name: 'Nightly' });
    expect(weeks()).toHaveLength(0);
    await user.hover(screen.getByRole('link', { name: 'Week' }));
    await waitFor(() => expect(weeks()).toHaveLength(1));
  });

  it('only shows schedules to members who may not change them', async () => {
    await showPage({}, undefined, 0);
    expect((await screen.findByRole<HTMLInputElement>('switch')).disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'New schedule' })).toBeNull();
  });

  it('saves an interval with answers, and keeps a stored secret answer', async () => {
    const { changes, user } = await showPage({ edit: 7 });
    const dialog = within(await screen.findByRole('dialog', { name: /Edit schedule/ }));
    await user.click(dialog.getByRole('radio', { name: 'Interval' }));
    await user.clear(dialog.getByLabelText('Minutes between two runs'));
    await user.type(dialog.getByLabelText('Minutes between two runs'), '90');
    await user.click(dialog.getByRole('button', { name: 'Save schedule' }));
    expect(await dialog.findByText('How many is required')).toBeTruthy();
    await user.type(dialog.getByLabelText(/How many/), '3');
    await user.click(dialog.getByRole('button', { name: 'Save schedule' }));
    await waitFor(() => expect(changes()).toHaveLength(1));
    expect(changes()[0]).toMatchObject({
      path: '/api/project/1/schedules/7',
      body: {
        ...{ type: 'interval', cron_format: '', interval_seconds: 5400, run_at: null, own_timezone: null },
        launch_values: { environment: '{"count":"3"}' },
      },
    });
  });

  it('names a shared saved launch instead of values of its own', async () => {
    const launch = { id: 3, project_id: 1, template_id: 2, name: 'Staging only', launch_values: NIGHTLY.launch_values };
    const launches = [
      { ...launch, shared: true },
      { ...launch, id: 4, name: 'Mine', shared: false },
    ];
    const { changes, user } = await showPage({ edit: 7 }, undefined, 5, {
      '/api/project/1/templates/2/launches': launches,
    });
    const dialog = within(await screen.findByRole('dialog', { name: /Edit schedule/ }));
    await user.click(await dialog.findByRole('combobox', { name: 'Values' }));
    expect(screen.queryByRole('option', { name: 'Mine' })).toBeNull();
    await user.click(await screen.findByRole('option', { name: 'Staging only' }));
    expect(dialog.queryByLabelText(/How many/)).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Save schedule' }));
    await waitFor(() => expect(changes()).toHaveLength(1));
    expect(changes()[0]?.body).toMatchObject({ saved_launch_id: 3 });
    expect(changes()[0]?.body).not.toHaveProperty('launch_values');
  });

  it('sets an option back to that of the template', async () => {
    const launch_values = { ...NIGHTLY.launch_values, environment: '{"count":3}', dry_run: true, max_duration: 600 };
    const template = { ...TEMPLATE, prompts: { ...TEMPLATE.prompts, max_duration: 'any' as const } };
    const { changes, user } = await showPage({ edit: 7 }, { status: 204 }, 5, {
      '/api/project/1/templates': [template],
      '/api/project/1/schedules': [{ ...NIGHTLY, launch_values, secret_answers: ['token'] }],
    });
    const dialog = within(await screen.findByRole('dialog', { name: /Edit schedule/ }));
    await user.click(await dialog.findByRole('button', { name: 'Dry run: as a dry run' }));
    await user.click(dialog.getByRole('button', { name: 'Time limit in minutes: for at most 10 min' }));
    await user.clear(dialog.getByLabelText('Time limit in minutes'));
    await user.click(dialog.getByRole('button', { name: 'Save schedule' }));
    await waitFor(() => expect(changes()).toHaveLength(1));
    expect(changes()[0]?.body).toHaveProperty('launch_values', {
      message: '',
      environment: '{"count":"3"}',
      arguments: '[]',
      limit: '',
    });
  });

  it('names stored options that the template fixes meanwhile, and leaves them to the template', async () => {
    const launch_values = { ...NIGHTLY.launch_values, environment: '{"count":3}', dry_run: true };
    const template = { ...TEMPLATE, prompts: { ...TEMPLATE.prompts, dry_run: 'fixed' as const } };
    const { changes, user } = await showPage({ edit: 7 }, { status: 204 }, 5, {
      '/api/project/1/templates': [template],
      '/api/project/1/schedules': [{ ...NIGHTLY, launch_values, secret_answers: ['token'] }],
    });
    const dialog = within(await screen.findByRole('dialog', { name: /Edit schedule/ }));
    expect(
      await dialog.findByText('The template fixes it now, so saving changes it: Dry run (Yes to No)'),
    ).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Save schedule' }));
    await waitFor(() => expect(changes()).toHaveLength(1));
    expect(changes()[0]?.body).not.toHaveProperty('launch_values.dry_run');
  });

  it('shows the errors of the server at their fields', async () => {
    const fields = {
      'launch_values.environment.count': 'How many must be integer',
      own_timezone: 'must be a time zone',
    };
    const { user } = await showPage({ edit: 7 }, { status: 400, body: { error: 'Not valid.', fields } });
    const dialog = within(await screen.findByRole('dialog', { name: /Edit schedule/ }));
    await user.type(dialog.getByLabelText(/How many/), '3');
    await user.click(dialog.getByRole('button', { name: 'Save schedule' }));
    expect(await dialog.findByText('How many must be integer')).toBeTruthy();
    expect(dialog.getByText('must be a time zone')).toBeTruthy();
  });

  it('opens, scrolls to and focuses the option that the server or the form refuses', async () => {
    const template = { ...TEMPLATE, prompts: { ...TEMPLATE.prompts, max_duration: 'any' as const } };
    const answer = { error: 'Not valid.', fields: { 'launch_values.max_duration': 'must be shorter' } };
    const { changes, user } = await showPage({ edit: 7 }, { status: 400, body: answer }, 5, {
      '/api/project/1/templates': [template],
      '/api/project/1/schedules': [{ ...NIGHTLY, secret_answers: ['token'] }],
    });
    const dialog = within(await screen.findByRole('dialog', { name: /Edit schedule/ }));
    await user.type(await dialog.findByLabelText(/How many/), '3');
    for (const name of ['Not before', 'Not after'])
      expect(dialog.getByText(name, { selector: 'label' }).dataset.optional).toBe('optional');
    await user.click(dialog.getByRole('button', { name: 'Save schedule' }));
    expect(await dialog.findByText('must be shorter')).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByLabelText('Time limit in minutes'));
    await user.keyboard('soon{Escape}');
    await user.click(dialog.getByRole('button', { name: 'Save schedule' }));
    expect(document.activeElement).toBe(dialog.getByLabelText('Time limit in minutes'));
    expect(changes()).toHaveLength(1);
  });
});
