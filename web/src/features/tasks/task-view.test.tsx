import type { QueuedTask, Task } from '@signalbox/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleCluster, sampleRecap, sampleRecords, sampleTask } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { showTask } from './show-task.testing.tsx';
import { TaskView } from './task-view.tsx';

const ESC = '\u001b';

describe('a waiting task', () => {
  const waiting = { status: 'waiting', start: null, end: null, queue_position: 2 } as const;

  it.each([
    [{ code: 'no_runner', params: {} }, /^No runner is connected/],
    [{ code: 'no_runner_with_app', params: { app: 'ansible' } }, /^No connected runner has Ansible/],
    [{ code: 'no_runner_for_project', params: {} }, /none of them takes tasks of this project/],
    [{ code: 'runners_paused', params: {} }, /is paused/],
    [{ code: 'no_runner_with_tags', params: { tags: 'dmz, gpu' } }, /dmz, gpu/],
    [{ code: 'earlier_task', params: { id: 4 } }, /^Task #4/],
    [{ code: 'project_limit', params: { limit: 3 } }, /project.*3/],
    [{ code: 'lock_ahead', params: { lock: 'db', id: 7 } }, /#7.*db/],
    [{ code: 'lock_held', params: { lock: 'db', id: 7, since: '', expected_end: '' } }, /#7 has .* about to start/],
    [
      { code: 'lock_held', params: { lock: 'db', id: 7, since: '2026-11-21T12:00:00Z', expected_end: '' } },
      /#7 has held the lock db since .*21/,
    ],
    [
      {
        code: 'lock_held',
        params: { lock: 'db', id: 7, since: '2026-11-21T12:00:00Z', expected_end: '2126-11-22T12:00:00Z' },
      },
      /probably until .*22/,
    ],
    [
      {
        code: 'lock_held',
        params: { lock: 'db', id: 7, since: '2026-11-21T12:00:00Z', expected_end: '2026-11-21T12:30:00Z' },
      },
      /longer than usual/,
    ],
  ] as const)(
    'shows that it waits because of %j, with its position unless it needs a lock',
    async (waiting_reason, text) => {
      await showTask({ task: { ...waiting, waiting_reason } });
      expect(await screen.findByText(text)).toBeTruthy();
      const hasPosition = !waiting_reason.code.startsWith('lock_');
      expect(screen.queryByText(/position 2 in the queue/) !== null).toBe(hasPosition);
    },
  );

  it.each([
    [{ code: 'no_runner_with_tags', params: { tags: 'dmz' } }, 'Show runners', '/runners'],
    [{ code: 'earlier_task', params: { id: 4 } }, '#4', '/project/1/tasks/4'],
    [{ code: 'lock_ahead', params: { lock: 'db', id: 7, template: 'Deploy' } }, '#7 Deploy', '/project/1/tasks/7'],
    [
      { code: 'template_busy', params: { id: 7, expected_end: '2126-11-22T12:00:00Z' } },
      'Ping Site',
      '/project/1/templates/1',
    ],
    [{ code: 'project_limit', params: { limit: 3 } }, 'Settings', '/project/1/settings'],
    [{ code: 'system_limit', params: { limit: 3 } }, 'System', '/system'],
  ] as const)('links from %j to what it waits for', async (waiting_reason, name, href) => {
    await showTask({ task: { ...waiting, tpl_alias: 'Ping Site', waiting_reason }, admin: true });
    // The header of the task links to its template too.
    const [link] = (await screen.findAllByRole('link', { name })).toReversed();
    expect(link?.getAttribute('href')).toBe(href);
  });

  it('offers the page of runners only to administrators', async () => {
    await showTask({ task: { ...waiting, waiting_reason: { code: 'no_runner', params: {} } } });
    expect(await screen.findByText(/^No runner is connected/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Show runners' })).toBeNull();
  });

  it('shows within two seconds that the reason has changed, and none when it runs', async () => {
    const missing = { code: 'no_runner', params: {} } as const;
    const { server } = await showTask({ task: { ...waiting, waiting_reason: missing } });
    expect(await screen.findByText(/^No runner is connected/)).toBeTruthy();
    server.task = { ...server.task, waiting_reason: { code: 'runners_busy', params: {} } };
    expect(await screen.findByText(/^Every runner/, undefined, { timeout: 2000 })).toBeTruthy();
    server.task = { ...server.task, status: 'running', waiting_reason: null };
    await waitFor(() => expect(screen.queryByText(/^Every runner/)).toBeNull(), { timeout: 2000 });
  });
});

describe('a task that waits for an approval', () => {
  const pending: Partial<QueuedTask> = {
    ...{ status: 'waiting', start: null, end: null, approval: 'other', approval_state: 'pending' },
    ...{ user_id: 7, approval_starter: 7, user_name: 'Ana', waiting_reason: { code: 'approval', params: {} } },
  };

  it('is approved with a comment, or rejected with one that is required', async () => {
    const { calls, user } = await showTask({ task: pending, permissions: 15 });
    const sent = () => calls.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);
    expect(document.querySelector('b[data-status]')?.textContent).toBe('Waiting for approval');
    expect(await screen.findByText(/Someone other than Ana/)).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    expect(await screen.findByText('Enter a comment to reject the task.')).toBeTruthy();
    expect(sent()).toEqual([]);
    await user.type(screen.getByRole('textbox', { name: 'Comment' }), 'Checked');
    await user.click(screen.getByRole('button', { name: 'Approve and start' }));
    const path = '/api/project/1/tasks/5/approve';
    await waitFor(() => expect(sent()).toEqual([[path, { comment: 'Checked', freeze_reason: null }]]));
  });

  it('has no buttons for users without the right', async () => {
    await showTask({ task: pending, permissions: 1 });
    expect(await screen.findByText(/Someone other than Ana/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reject' })).toBeNull();
  });
});

const running = { status: 'running', end: null } as const;
const push = (status: Task['status'], end: string | null = null) => ({
  type: 'update',
  project_id: 1,
  task_id: 5,
  template_id: 1,
  status,
  start: '2026-11-21T10:00:01.000Z',
  end,
  version: null,
});

describe('the view of a task', () => {
  it('shows its result and its log in colours', async () => {
    await showTask({ lines: ['first', `${ESC}[0;32mok: [web]${ESC}[0m`, '<b>not bold</b>'] });
    expect(document.querySelector('b[data-status]')?.textContent).toBe('Success');
    expect(await screen.findByText('ok: [web]')).toBeTruthy();
    expect(screen.getByText('ok: [web]').className).not.toBe('');
    expect(screen.getByText('<b>not bold</b>')).toBeTruthy();
  });

  it('follows the task over the live connection while it is shown', async () => {
    const { live } = await showTask({ task: running });
    act(() => live.accept());
    expect(live.sent).toEqual([{ type: 'follow', tasks: [5] }]);
  });

  it('shows live lines, fills a gap, and shows the new status', async () => {
    const { live, server } = await showTask({ task: running, lines: ['one', 'two'] });
    await screen.findByText('two');
    act(() => live.accept());
    server.lines.push('three', 'four');
    act(() => live.send({ type: 'lines', project_id: 1, task_id: 5, first: 4, lines: [[4, 'four']] }));
    expect(await screen.findByText('four')).toBeTruthy();
    expect(await screen.findByText('three')).toBeTruthy();
    Object.assign(server.task, { status: 'success', end: '2026-11-21T10:05:00.000Z', commit_hash: 'abcdef0123' });
    act(() => live.send(push('success', '2026-11-21T10:05:00.000Z')));
    await waitFor(() => expect(document.querySelector('b[data-status]')?.textContent).toBe('Success'));
    expect(await screen.findByText('abcdef0')).toBeTruthy();
  });

  it('ignores live messages about other tasks', async () => {
    const { live } = await showTask({ task: running, lines: ['one'] });
    await screen.findByText('one');
    act(() => live.accept());
    act(() => live.send({ type: 'lines', project_id: 1, task_id: 6, first: 2, lines: [[2, 'foreign']] }));
    expect(screen.queryByText('foreign')).toBeNull();
  });

  it('catches up after the connection was lost', async () => {
    const { live, server } = await showTask({ task: running, lines: ['one'] });
    await screen.findByText('one');
    act(() => live.accept());
    act(() => live.drop());
    server.lines.push('while it was lost');
    act(() => live.passTime());
    act(() => live.accept());
    expect(await screen.findByText('while it was lost')).toBeTruthy();
  });

  it('stops the task gently first, and by force while it is stopping', async () => {
    const { calls, user, live } = await showTask({ task: running });
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')[0]?.body).toEqual({ force: false }));
    act(() => live.accept());
    act(() => live.send(push('stopping')));
    const force = await screen.findByRole('button', { name: 'Force Stop' });
    // The second click of a double click hits the button in the same position.
    await user.click(force);
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await waitFor(() => expect(force.getAttribute('aria-disabled')).toBeNull(), { timeout: 3000 });
    await user.click(force);
    await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')[1]?.body).toEqual({ force: true }));
  });

  it('shows the progress in a bar, also with failures', async () => {
    const { live } = await showTask({ task: running, records: sampleRecords.slice(0, 5) });
    const bar = await screen.findByRole('list', { name: 'Plays' });
    expect(bar.querySelector('[data-running]')).toBeNull();
    act(() => live.accept());
    const missing = sampleRecords.slice(5, 7);
    act(() => live.send({ type: 'results', project_id: 1, task_id: 5, first: 6, records: missing }));
    await waitFor(() => expect(bar.querySelector('li.error [data-running]')).toBeTruthy());
  });

  it.each(['stopped', 'error'] as const)(
    'shows in its bar what a task that ended as %s did not come to',
    async (status) => {
      const earlier = [1, 2, 3].map((id) => sampleTask({ id, end: '2026-11-21T10:03:01.000Z' }));
      await showTask({ task: { status }, records: sampleRecords.slice(0, 6), earlier });
      const bar = await screen.findByRole('list', { name: 'Plays' });
      await waitFor(() => expect(bar.querySelector('li.wait')).toBeTruthy());
    },
  );

  it('handles the keys of the log as soon as the tab is open', async () => {
    const { user } = await showTask({ lines: ['first', 'second'], props: { tab: 'log' } });
    await screen.findByText('second');
    expect(document.activeElement?.tagName).not.toBe('SECTION');
    const log = screen.getByRole('region', { name: 'Log' });
    await user.keyboard('{End}');
    expect(document.activeElement).toBe(log);
    (document.activeElement as HTMLElement).blur();
    await user.keyboard('/');
    expect(document.activeElement).toBe(await screen.findByRole('searchbox', { name: 'Find in the log' }));
    await user.keyboard('/{Home}x');
    expect((document.activeElement as HTMLInputElement).value).toBe('x/');
    await user.keyboard('{Escape}');
    (document.activeElement as HTMLElement).blur();
    await user.keyboard('{Control>}f{/Control}');
    expect(document.activeElement).toBe(await screen.findByRole('searchbox', { name: 'Find in the log' }));
  });

  it('offers no stop button to members who may not run tasks', async () => {
    await showTask({ task: running, permissions: 0 });
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  it('offers to run an ended task again with its answers', async () => {
    const { again, user } = await showTask();
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Run again' }));
    expect(again).toEqual([[5, 1]]);
  });

  it('offers to run the task again on the failed hosts', async () => {
    const records = [...sampleRecords, sampleRecap(['web-2'])];
    const { again, user } = await showTask({ task: { status: 'error' }, records });
    const [button] = await screen.findAllByRole('button', { name: 'Run on failed hosts (1 of 2)' });
    if (button) await user.click(button);
    await waitFor(() => expect(again).toEqual([[5, 1, 'web-2']]));
  });

  it('offers to run the task again on the hosts that match a search', async () => {
    const records = [...sampleRecords, sampleRecap([])];
    const { again, user } = await showTask({ records, props: { tab: 'hosts' } });
    await user.type(await screen.findByRole('searchbox', { name: 'Host, group or pattern' }), 'WEB-1');
    expect(screen.queryByRole('rowheader', { name: 'web-2' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Run on 1 host' }));
    await waitFor(() => expect(again).toEqual([[5, 1, 'web-10']]));
  });

  it('scrolls to the first error of the log', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    const { addresses, user } = await showTask({
      task: { status: 'error' },
      lines,
      records: sampleRecords,
      props: { tab: 'log' },
    });
    await user.click(await screen.findByRole('button', { name: 'Go to the first error' }));
    await waitFor(() => expect(addresses).toEqual([{ tab: 'log', line: 13 }]));
  });

  it('scrolls to the error of Ansible if no step was run', async () => {
    const { addresses, calls, user } = await showTask({
      props: { tab: 'log' },
      task: { status: 'error' },
      lines: ['a', 'ERROR! b', 'c'],
    });
    await screen.findByText('ERROR! b');
    await user.click(screen.getByRole('button', { name: 'Go to the first error' }));
    await waitFor(() => expect(addresses).toEqual([{ tab: 'log', line: 2 }]));
    expect(calls.find(({ path }) => path.endsWith('/lines/search'))?.query.get('text')).toBe('ERROR!');
  });

  it('shows headers in the log that fold', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);
    const { user } = await showTask({ task: running, lines, records: sampleRecords });
    const header = await screen.findByRole('button', { name: /^Look/ });
    expect(header.getAttribute('aria-expanded')).toBe('true');
    expect(await screen.findByText('line 18')).toBeTruthy();
    await user.click(header);
    expect(header.getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByText('line 18')).toBeNull();
  });

  it('highlights a line when its number is clicked', async () => {
    const { addresses, user } = await showTask({ lines: ['one', 'two'] });
    await user.click(await screen.findByRole('link', { name: '2' }));
    expect(addresses).toEqual([{ tab: 'log', line: 2 }]);
  });

  it('shows the failures first for a failed task', async () => {
    const records = [...sampleRecords, sampleRecap(['web-2'])];
    const failure = { title: 'disk full', hosts: 1, first: { host: 'web-2', at: 2000, line: 13 } };
    const { addresses, user } = await showTask({
      task: { status: 'error' },
      lines: ['x'],
      records,
      clusters: [sampleCluster(failure)],
    });
    const panel = await screen.findByRole('tabpanel', { name: 'Summary' });
    expect(await within(panel).findByRole('heading', { name: '1 host disk full' })).toBeTruthy();
    expect(within(panel).getByText('web-2')).toBeTruthy();
    await user.click(within(panel).getByRole('button', { name: 'Open log at line 13' }));
    expect(addresses).toEqual([{ tab: 'log', line: 13 }]);
  });

  it('moves between its tabs with the arrow keys', async () => {
    const { addresses, user } = await showTask();
    screen.getByRole('tab', { name: 'Log' }).focus();
    await user.keyboard('{ArrowRight}');
    await user.keyboard('{ArrowLeft}');
    expect(addresses).toEqual([
      { tab: 'hosts', line: undefined },
      { tab: 'details', line: undefined },
    ]);
  });

  it('filters the matrix by a result, keeps it in the address, and folds hosts that are alike', async () => {
    const records = [...sampleRecords, sampleRecap(['web-2'])];
    const { addresses, user } = await showTask({ records, props: { tab: 'hosts', result: 'changed' } });
    const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
    await waitFor(() => expect(names()).toEqual(['web-2', 'web-10']));
    expect(screen.getByText('1 of 2 done, 1 failed')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '1 failed' }));
    await waitFor(() => expect(names()).toEqual(['web-2']));
    expect(addresses).toEqual([{ tab: 'hosts', result: 'failed' }]);
  });

  it('shows hosts by steps, and the result of a selected cell', async () => {
    const { user } = await showTask({ task: running, records: sampleRecords, props: { tab: 'hosts' } });
    await user.click(await screen.findByRole('button', { name: 'web-2, Copy: failed' }));
    const result = screen.getByRole('complementary', { name: 'Result' });
    expect(within(result).getByText('disk full')).toBeTruthy();
  });

  it('shows all inputs of the task', async () => {
    await showTask({ task: { environment: '{"hosts":"8"}', dry_run: true }, props: { tab: 'details' } });
    const panel = await screen.findByRole('tabpanel', { name: 'Details' });
    expect(panel.textContent).toContain('"hosts": "8"');
    expect(panel.textContent).toContain('ping.yml');
  });
});

describe('the view of a missing task', () => {
  it('shows that it was not found, with a link to the history', async () => {
    answerCalls(() => ({ status: 404, body: { error: 'There is no such task.', code: 'not_found' } }));
    await show(
      <TaskView project={1} task={404} heading="h1" onUrlState={() => undefined} onRunAgain={() => undefined} />,
    );
    expect(await screen.findByText('Task not found')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to the history' }).getAttribute('href')).toBe('/project/1/history');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(screen.getByRole('heading', { level: 1 }).textContent?.trim()).toBe('Task #404');
    expect(screen.queryByRole('link', { name: 'Download log' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Copy link' })).toBeNull();
  });

  it('can be loaded again after an error of the server', async () => {
    answerCalls(() => ({ status: 503, body: { error: 'The database is away.', code: 'unavailable' } }));
    await show(
      <TaskView project={1} task={5} heading="h1" onUrlState={() => undefined} onRunAgain={() => undefined} />,
    );
    expect((await screen.findByRole('alert')).textContent).toContain('The database is away.');
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
