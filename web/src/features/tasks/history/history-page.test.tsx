import type { QueuedTask, Task, WaitingReason } from '@signalbox/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../../lang/language.ts';
import { sampleTask, sampleTemplate } from '../../../testing/sample.ts';
import { show, testSocket } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { TestState } from '../../../testing/use-test-state.tsx';
import { localDay } from '../../../ui/time/local-moment.ts';
import { HistoryPage } from './history-page.tsx';
import type { HistoryState } from './history-state.ts';

const many = (count: number): Task[] =>
  Array.from({ length: count }, (_, at) => sampleTask({ id: count - at, user_name: at % 2 ? 'Ada' : 'Grace' }));

const showHistory = async (tasks: Task[], start: HistoryState = {}, permissions = 0, templates: object[] = []) => {
  const addresses: HistoryState[] = [];
  const calls = answerCalls(({ path, query, body }) => {
    if (path.endsWith('/role')) return { status: 200, body: { role: 'owner', permissions, templates } };
    if (path.endsWith('/stop') || path.endsWith('/delete'))
      return { status: 200, body: { done: (body as { ids: number[] }).ids, refused: [] } };
    if (path.endsWith('/templates')) return { status: 200, body: [sampleTemplate({ id: 7, name: 'Deploy' })] };
    if (path.endsWith('/users'))
      return { status: 200, body: [{ id: 1, user_id: 3, name: 'Lin', username: 'lin', role: 'owner' }] };
    const one = /\/tasks\/(\d+)$/.exec(path)?.[1];
    if (one) return { status: 200, body: sampleTask({ id: Number(one), status: 'waiting', start: null, end: null }) };
    if (path.endsWith('/tasks/active')) return { status: 200, body: tasks.filter(({ end }) => end === null) };
    const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
    const status = query.get('status');
    const meant = (name: string, id: number | null) => query.get(name) === null || query.get(name) === String(id);
    const found = tasks.filter(
      (task) =>
        task.id < before &&
        (status === null || task.status === status) &&
        (query.get('end_reason') === null || query.get('end_reason') === task.end_reason?.code) &&
        meant('template_id', task.template_id) &&
        meant('user_id', task.user_id),
    );
    return { status: 200, body: found.slice(0, Number(query.get('limit'))) };
  });
  const live = testSocket();
  await show(
    <TestState start={start} onChange={(state) => addresses.push(state)}>
      {(state, onState) => <HistoryPage tabs={null} project={1} state={state} onState={onState} />}
    </TestState>,
    { live },
  );
  const lists = () => calls.filter(({ path }) => path.endsWith('/tasks'));
  const asked = () => calls.filter(({ path }) => path.endsWith('/tasks/active'));
  const posts = () => calls.flatMap(({ method, path, body }) => (method === 'POST' ? [[path, body]] : []));
  return { lists, addresses, live, asked, posts, user: userEvent.setup() };
};

const shownIds = () =>
  screen.getAllByRole('link', { name: /^#\d+$/ }).map((link) => Number(link.textContent?.slice(1)));

const statuses = () =>
  [...document.querySelectorAll('td [data-status]')].map((element) => element.getAttribute('data-status'));

describe('the history', () => {
  it('shows the columns and 20 rows per page', async () => {
    const { user } = await showHistory(many(45));
    await screen.findByRole('link', { name: '#45' });
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'Task',
      'Version',
      'Status',
      'User',
      'Start',
      'Duration',
    ]);
    expect(shownIds()).toHaveLength(20);
    expect(screen.getByText('1 to 20 of 45')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(shownIds()).toEqual([5, 4, 3, 2, 1]);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(true);
  });

  it('loads older tasks when the user goes beyond the loaded pages', async () => {
    const { lists, user } = await showHistory(many(230));
    await screen.findByText('1 to 20 of more than 200');
    for (let page = 1; page <= 10; page += 1) await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(shownIds()[0]).toBe(30));
    expect(lists().map(({ query }) => query.get('before'))).toEqual([null, '31']);
  });

  it('shows a new task on top, and updates running tasks', async () => {
    const { live } = await showHistory([sampleTask({ id: 3, status: 'running', end: null })]);
    await waitFor(() => expect(statuses()).toEqual(['running']));
    act(() => live.accept());
    const update = { type: 'update', project_id: 1, template_id: 1, start: null, end: null, version: null };
    act(() => live.send({ ...update, task_id: 4, status: 'waiting' }));
    await waitFor(() => expect(shownIds()).toEqual([4, 3]));
    act(() =>
      live.send({
        ...update,
        task_id: 3,
        status: 'error',
        start: '2026-11-21T10:00:01.000Z',
        end: '2026-11-21T10:00:09.000Z',
      }),
    );
    await waitFor(() => expect(statuses()).toEqual(['waiting', 'error']));
    expect(screen.getByText('0:08')).toBeTruthy();
  });

  it('stops the selected tasks that wait or run, and deletes those that have ended', async () => {
    const tasks = [sampleTask({ id: 3, status: 'running', end: null }), sampleTask({ id: 2 }), sampleTask({ id: 1 })];
    const { posts, user } = await showHistory(tasks, {}, 15);
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    await user.click(within(await screen.findByRole('toolbar')).getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(posts()).toEqual([['/api/tasks/stop', { ids: [3] }]]));
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Delete tasks/ }));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(posts()[1]).toEqual(['/api/project/1/tasks/selected/delete', { ids: [2, 1] }]));
  });

  it('stops the selected tasks of the templates on which a guest has a grant to run', async () => {
    const tasks = [3, 2].map((id) => sampleTask({ id, template_id: id, status: 'running', end: null }));
    const grant = { template_id: 3, rights: ['run'], restricted: false };
    const { posts, user } = await showHistory([...tasks, sampleTask({ id: 1 })], {}, 0, [grant]);
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    const bar = within(await screen.findByRole('toolbar'));
    expect(bar.queryByRole('button', { name: 'Delete' })).toBeNull();
    await user.click(bar.getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(posts()).toEqual([['/api/tasks/stop', { ids: [3] }]]));
  });

  it('is filtered while the user types', async () => {
    const { user } = await showHistory([
      sampleTask({ id: 2, user_name: 'Ada', token_name: 'Nightly' }),
      sampleTask({ id: 1, user_name: 'Grace', message: 'After the outage' }),
    ]);
    await screen.findByRole('link', { name: '#2' });
    expect(screen.getByText('After the outage').closest('tr')?.textContent).toContain('#1');
    expect(screen.getByTitle('Ada, token Nightly').querySelector('small')?.textContent).toBe('token Nightly');
    await user.type(screen.getByRole('searchbox', { name: 'Filter tasks' }), 'grace');
    expect(shownIds()).toEqual([1]);
    await user.keyboard('{Escape}');
    expect(shownIds()).toEqual([2, 1]);
    await user.keyboard('outage');
    expect(shownIds()).toEqual([1]);
  });

  it('is filtered by status on the server', async () => {
    const { lists, user, addresses } = await showHistory([
      sampleTask({ id: 2, status: 'error' }),
      sampleTask({ id: 1 }),
    ]);
    await screen.findByRole('link', { name: '#2' });
    await user.click(screen.getByRole('combobox', { name: 'Status' }));
    await user.click(await screen.findByRole('option', { name: 'Failed' }));
    await waitFor(() => expect(shownIds()).toEqual([2]));
    expect(lists().at(-1)?.query.get('status')).toBe('error');
    expect(addresses.at(-1)).toMatchObject({ status: 'error', page: undefined });
  });

  it('has a chip with a count for each status, and a button that clears the filters when nothing matches', async () => {
    const { user, addresses } = await showHistory([
      sampleTask({ id: 3, status: 'error' }),
      sampleTask({ id: 2, status: 'error' }),
      sampleTask({ id: 1 }),
    ]);
    await screen.findByRole('link', { name: '#3' });
    const chips = within(screen.getByRole('group', { name: 'Status' }));
    expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual(['Failed2', 'Success1']);
    await user.click(chips.getByRole('button', { name: /Success/ }));
    await waitFor(() => expect(shownIds()).toEqual([1]));
    expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual(['Failed2', 'Success1']);
    await user.type(screen.getByRole('searchbox', { name: 'Filter tasks' }), 'nothing of this kind');
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(shownIds()).toEqual([3, 2, 1]));
    expect(addresses.at(-1)).toMatchObject({ q: undefined, status: undefined });
  });

  it('shows why a task ended, and is filtered by the reason on the server', async () => {
    const missing = { code: 'playbook.missing', params: { path: 'site.yml' }, text: '' } as const;
    const stopped = { code: 'stop.user', params: { user: 'Ada' }, text: '' } as const;
    const { lists, user, addresses } = await showHistory([
      sampleTask({ id: 3, status: 'stopped', end_reason: stopped }),
      sampleTask({ id: 2, status: 'error', end_reason: missing }),
      sampleTask({ id: 1 }),
    ]);
    await screen.findByRole('link', { name: '#3' });
    const row = (id: number) => screen.getByRole('link', { name: `#${id}` }).closest('tr');
    expect(row(3)?.textContent).toContain('Stopped by Ada');
    expect(row(2)?.textContent).toContain('Playbook site.yml is not in the repository');
    await user.click(screen.getByRole('combobox', { name: 'Reason' }));
    await user.click(await screen.findByRole('option', { name: 'Playbook … is not in the repository' }));
    await waitFor(() => expect(shownIds()).toEqual([2]));
    expect(lists().at(-1)?.query.get('end_reason')).toBe('playbook.missing');
    expect(addresses.at(-1)).toMatchObject({ reason: 'playbook.missing', page: undefined });
    await act(() => chooseLanguage('de'));
    await screen
      .findByText('Das Playbook site.yml ist nicht im Repository')
      .finally(() => act(() => chooseLanguage('en')));
  });

  it('is filtered by template and user on the server', async () => {
    const { lists, user } = await showHistory([
      sampleTask({ id: 3, template_id: 7, user_id: 3 }),
      sampleTask({ id: 2, template_id: 7, user_id: 9, user_name: 'Gone' }),
      sampleTask({ id: 1, user_id: 3 }),
    ]);
    await screen.findByRole('link', { name: '#3' });
    await user.click(screen.getByRole('combobox', { name: 'Template' }));
    await user.click(await screen.findByRole('option', { name: 'Deploy' }));
    await waitFor(() => expect(shownIds()).toEqual([3, 2]));
    await user.click(screen.getByRole('combobox', { name: 'User' }));
    // Who left the team is offered as long as a task is theirs.
    await screen.findByRole('option', { name: 'Gone' });
    await user.click(screen.getByRole('option', { name: 'Lin' }));
    await waitFor(() => expect(shownIds()).toEqual([3]));
    expect(Object.fromEntries(lists().at(-1)?.query ?? [])).toEqual({ limit: '200', template_id: '7', user_id: '3' });
  });

  it('opens with the page, sort order and filter of the URL', async () => {
    const { lists } = await showHistory(many(45), { page: 3, sort: '-task', status: 'success' });
    await waitFor(() => expect(shownIds()).toEqual([41, 42, 43, 44, 45]));
    expect(lists().map(({ query }) => query.get('status'))).toContain('success');
    expect(screen.getByText('41 to 45 of 45')).toBeTruthy();
  });

  it('is filtered on the server by the last days, and by a first and a last day', async () => {
    const { lists, user, addresses } = await showHistory(many(2));
    await screen.findByRole('link', { name: '#2' });
    const choose = async (name: string) => {
      await user.click(screen.getByRole('combobox', { name: 'Created' }));
      await user.click(await screen.findByRole('option', { name }));
    };
    await choose('Today');
    const midnight = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
    await waitFor(() => expect(lists().at(-1)?.query.get('from')).toBe(midnight));
    await choose('Custom dates');
    expect(addresses.at(-1)).toMatchObject({ days: undefined, to: localDay(new Date()) });
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-05-01' } });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '0202-05-31' } });
    expect(addresses.at(-1)).toMatchObject({ from: '2026-05-01', to: localDay(new Date()) });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-05-31' } });
    const end = new Date(2026, 5, 1).toISOString();
    await waitFor(() => expect(lists().at(-1)?.query.get('to')).toBe(end));
    await choose('Any time');
    expect(addresses.at(-1)).toMatchObject({ from: undefined, to: undefined });
    expect(screen.queryByLabelText('From')).toBeNull();
  });

  it('is sorted by a click on a column heading, including tasks that are not loaded yet', async () => {
    const { lists, user, addresses } = await showHistory(
      many(230).map((task) => ({ ...task, version: task.id === 2 ? '0.1' : `1.${task.id}` })),
      { page: 2 },
    );
    await screen.findByRole('link', { name: '#210' });
    await user.click(screen.getByRole('button', { name: 'Version' }));
    await waitFor(() => expect(shownIds()[0]).toBe(2));
    expect(lists()).toHaveLength(2);
    expect(addresses.at(-1)).toEqual({ sort: 'version', page: undefined });
    expect(screen.getByRole('columnheader', { name: 'Version' }).getAttribute('aria-sort')).toBe('ascending');
  });

  it('shows its last page when the URL names a page that no longer exists', async () => {
    await showHistory(many(3), { page: 9 });
    await waitFor(() => expect(shownIds()).toEqual([3, 2, 1]));
  });

  it('names the user or the schedule that started a task', async () => {
    await showHistory([
      sampleTask({ id: 3, user_name: 'Ada' }),
      sampleTask({ id: 2, user_name: '', build_task_id: 1 }),
      sampleTask({ id: 1, user_name: '' }),
    ]);
    await screen.findByRole('link', { name: '#3' });
    const users = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[3]?.textContent);
    expect(users).toEqual(['Ada', 'Build #1', 'Schedule']);
  });

  it('shows of a failed task how many hosts failed and in which step, with the whole reason as the tooltip', async () => {
    const host = { hosts: 14, host: 'web-1', message: 'No package nginx' };
    const reasons = [
      { code: 'hosts.failed', params: { failed: 2, step: 'Install nginx', ...host }, text: '' },
      { code: 'hosts.unreachable', params: { unreachable: 1, ...host }, text: '' },
    ] as const;
    await showHistory(reasons.map((end_reason, at) => sampleTask({ id: 9 - at, status: 'error', end_reason })));
    const failed = await screen.findByText('2 of 14 hosts failed · Install nginx');
    expect(failed.title).toBe('2 of 14 hosts failed (web-1, “Install nginx”: No package nginx)');
    expect(screen.getByText('1 of 14 hosts unreachable · web-1').title).toMatch(/No package nginx/);
  });

  it('shows the step of a running task', async () => {
    const running_step = { step: 3, name: 'Install nginx', since: '2026-11-21T10:00:05.000Z', usual_ms: 900 };
    await showHistory([sampleTask({ id: 9, status: 'running', end: null, longer_than_usual: true, running_step })]);
    const step = await screen.findByTitle('Install nginx');
    expect(step.parentElement?.textContent).toBe('Install nginx· longer than usual');
  });

  it('shows the position of tasks in a queue, and asks for it only while a task is in one', async () => {
    const waiting = (id: number, change: Partial<QueuedTask>) =>
      sampleTask({ id, status: 'waiting', start: null, end: null, ...change });
    const held: WaitingReason = { code: 'lock_ahead', params: { lock: 'db', id: 8, template: 'Deploy' } };
    const { asked } = await showHistory([
      waiting(9, { queue_position: 3 }),
      waiting(8, { queue_position: 2, waiting_reason: held }),
    ]);
    expect((await screen.findByText('position 3')).closest('tr')?.dataset.task).toBe('9');
    expect(screen.getAllByText(/^position/)).toHaveLength(1);
    expect(asked().length).toBeGreaterThan(0);
  });

  it('asks for no position while tasks run or wait for an approval', async () => {
    const { asked } = await showHistory([
      sampleTask({ id: 9, status: 'waiting', approval_state: 'pending', start: null, end: null }),
      sampleTask({ id: 8, status: 'running', end: null }),
    ]);
    await screen.findByRole('link', { name: '#9' });
    expect(asked()).toEqual([]);
  });

  it('shows an empty state before the first task', async () => {
    await showHistory([]);
    expect(await screen.findByText('No tasks yet')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });
});
