import type { ActiveTask } from '@signalbox/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sampleTask } from '../../../testing/sample.ts';
import { show, testSocket } from '../../../testing/show.tsx';
import { answerCalls, type Made } from '../../../testing/test-fetch.ts';
import { TestState } from '../../../testing/use-test-state.tsx';
import { closeToast, currentToast } from '../../../ui/toast/toast-store.ts';
import { ActiveTasksPage } from './active-tasks-page.tsx';

const active = (change: Partial<ActiveTask>): ActiveTask => ({
  ...sampleTask({ status: 'running', end: null }),
  project_name: 'Shop',
  may_stop: true,
  may_approve: false,
  ...change,
});

const showPage = async (tasks: ActiveTask[], stop: (made: Made) => object = () => ({ done: [], refused: [] })) => {
  closeToast();
  const calls = answerCalls((made) => {
    if (made.path.endsWith('/tasks/active')) return { status: 200, body: tasks };
    if (made.path.endsWith('/tasks/stop')) return { status: 200, body: stop(made) };
    return { status: 200, body: { id: 1, name: 'Mara', admin: true } };
  });
  const live = testSocket();
  await show(
    <TestState start={{}}>
      {(state, onState) => <ActiveTasksPage back={null} state={state} onState={onState} />}
    </TestState>,
    { live },
  );
  const stops = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  return { calls, live, stops, user: userEvent.setup() };
};

const ids = () => screen.getAllByRole('link', { name: /^#\d+$/ }).map(({ textContent }) => textContent);
const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name });

describe('the page of waiting and running tasks', () => {
  it('names the webhook that started a task, also one that deploys a build', async () => {
    const webhook = { user_name: '', webhook_id: 3, webhook_name: 'Release' };
    await showPage([active({ id: 5, ...webhook }), active({ id: 6, ...webhook, build_task_id: 4 })]);
    expect(await screen.findAllByText('Webhook Release')).toHaveLength(2);
  });

  it('names task, template, project, starter and runner of each task, all as links', async () => {
    await showPage([
      active({ id: 9, project_id: 4, template_id: 7, tpl_alias: 'Deploy', runner_id: 3, runner_name: 'edge-1' }),
      active({ id: 8, user_name: '', schedule_id: 5, schedule_name: 'Nightly', status: 'waiting' }),
    ]);
    await screen.findByRole('link', { name: '#9' });
    expect(ids()).toEqual(['#9', '#8']);
    const href = (name: string) => screen.getAllByRole('link', { name })[0]?.getAttribute('href');
    expect(href('#9')).toBe('/project/4/tasks/9');
    expect(href('Deploy')).toBe('/project/4/templates/7');
    expect(href('Shop')).toBe('/project/4/history');
    expect(href('edge-1')).toBe('/runners/3');
    expect(href('Ada')).toBe('/project/4/team?q=Ada');
    expect(href('Nightly')).toBe('/project/1/schedules?edit=5');
  });

  it('shows why a task waits and its position', async () => {
    const waiting_reason = { code: 'no_runner_with_tags', params: { tags: 'dmz' } } as const;
    await showPage([active({ id: 9, status: 'waiting', waiting_reason, queue_position: 3 }), active({ id: 8 })]);
    expect(await screen.findByText(/No connected runner is tagged dmz/)).toBeTruthy();
    expect(screen.getAllByText(/position 3/)).toHaveLength(1);
  });

  it('names the hosts that a task waits for, and the task that has locked them', async () => {
    const params = { host: 'web-01', others: 3, id: 8, template: 'Restart', since: '', expected_end: '' };
    const waiting_reason = { code: 'host_held', params } as const;
    await showPage([active({ id: 9, status: 'waiting', waiting_reason, queue_position: 3 })]);
    expect(await screen.findByText('Task #8 has locked web-01 and 3 more hosts and is about to start.')).toBeTruthy();
    expect(screen.queryByText(/position 3/)).toBeNull();
  });

  it('shows who must approve a task and its priority, and links to the tasks that the user may approve', async () => {
    const pending = { status: 'waiting', approval: 'other', approval_state: 'pending' } as const;
    const waits = { ...pending, waiting_reason: { code: 'approval', params: {} } } as const;
    await showPage([
      active({ id: 9, ...waits, approval_starter: 5, may_approve: true, tpl_alias: 'Deploy', priority: 5 }),
      active({ id: 8, ...waits, approval_starter: 1, queue_position: 2, priority: -10 }),
    ]);
    const link = await screen.findByRole('link', { name: 'Approve #9 Deploy' });
    expect(link.getAttribute('href')).toBe('/project/1/tasks/9');
    expect(screen.getAllByRole('link', { name: /^Approve/ })).toHaveLength(1);
    expect(
      screen.getByText('Someone other than Ada, who started it, must approve this task before it runs.'),
    ).toBeTruthy();
    expect(screen.getByText('You started this task, so someone else must approve it.')).toBeTruthy();
    expect(screen.getByText('priority +5')).toBeTruthy();
    expect(screen.getByText(/^position 2, priority .10$/)).toBeTruthy();
  });

  it('follows status changes, and drops tasks that end', async () => {
    const tasks = [active({ id: 9, status: 'waiting' }), active({ id: 8 })];
    const { live, calls } = await showPage(tasks);
    await screen.findByRole('link', { name: '#9' });
    act(() => live.accept());
    const update = { type: 'update', project_id: 1, template_id: 1, start: null, end: null, version: null };
    tasks.pop();
    act(() => live.send({ ...update, task_id: 8, status: 'success', end: '2026-11-21T10:00:09.000Z' }));
    await waitFor(() => expect(ids()).toEqual(['#9']));
    const lists = () => calls.filter(({ path }) => path.endsWith('/tasks/active')).length;
    const before = lists();
    act(() => live.send({ ...update, task_id: 10, status: 'waiting' }));
    await waitFor(() => expect(lists()).toBeGreaterThan(before));
  });

  it('selects rows with Shift and with Space, and stops them with one call', async () => {
    const tasks = [11, 10, 9, 8].map((id) => active({ id, may_stop: id !== 8 }));
    const { user, stops } = await showPage(tasks, () => ({ done: [11, 10, 9], refused: [] }));
    await screen.findByRole('link', { name: '#11' });
    expect(screen.queryByRole('checkbox', { name: /#8/ })).toBeNull();
    await user.click(box(/#11/));
    await user.keyboard('{Shift>}');
    await user.click(box(/#9/));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('3 selected')).toBeTruthy();
    screen.getByRole('link', { name: '#10' }).focus();
    await user.keyboard(' ');
    expect(box(/#10/).checked).toBe(false);
    await user.keyboard(' ');
    await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(stops()).toEqual([{ ids: [11, 10, 9], force: false }]));
    await waitFor(() => expect(currentToast()?.text).toBe('3 tasks are being stopped'));
    expect(screen.queryByRole('toolbar')).toBeNull();
  });

  it('forces the stop of tasks that are stopping, and shows why tasks could not be stopped', async () => {
    const refused = [{ id: 8, error: 'Task 8 ended.', code: 'conflict.task_ended', params: { id: 8 } }];
    const { user, stops } = await showPage(
      [active({ id: 9, status: 'stopping' }), active({ id: 8, status: 'stopping', tpl_alias: 'Deploy' })],
      () => ({ done: [9], refused }),
    );
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    const bar = within(screen.getByRole('toolbar'));
    expect(bar.queryByRole('button', { name: 'Stop' })).toBeNull();
    await user.click(bar.getByRole('button', { name: 'Force Stop' }));
    await waitFor(() => expect(stops()).toEqual([{ ids: [9, 8], force: true }]));
    const dialog = within(await screen.findByRole('dialog', { name: /Not possible for 1/ }));
    expect(dialog.getByText('#8 Deploy')).toBeTruthy();
    expect(dialog.getByText(/has already ended|8/, { selector: 'small' })).toBeTruthy();
  });

  it('has an empty state', async () => {
    await showPage([]);
    expect(await screen.findByText('No task is waiting or running')).toBeTruthy();
  });
});
