import type { RunnerDetails, RunnerTask } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { RunnerPage } from './runner-page.tsx';

const TASK: RunnerTask = {
  ...{ id: 7, project_id: 1, project_name: 'Storefront', template_id: 3, tpl_alias: 'Deploy', status: 'running' },
  created: '2026-11-21T10:00:00.000Z',
  start: '2026-11-21T10:00:00.000Z',
  end: null,
};
const RUNNER: RunnerDetails = {
  ...{ id: 4, name: 'rack-7', tags: ['dmz'], description: 'In the DMZ', paused: false, projects: [1] },
  ...{
    local: false,
    ephemeral: false,
    connected: true,
    draining: false,
    last_contact: '2026-11-21T10:00:00.000Z',
    version: '1.2.0',
  },
  apps: [{ name: 'ansible', version: '2.14.18' }],
  environments: [
    { kind: 'system', program: '', version: '' },
    { kind: 'virtual', program: 'uv', version: '0.9.1' },
  ],
  ...{ ansible: '2.14.18', run_as: 'deploy', slots: 4, tasks: 1, duplicate_seen: null },
  created: '2026-11-20T10:00:00.000Z',
  current_tasks: [TASK],
  last_tasks: [{ ...TASK, id: 6, status: 'error', end: '2026-11-21T10:01:05.000Z' }],
};

const showRunner = async (change: Partial<RunnerDetails> = {}, answer?: Given) => {
  closeToast();
  const calls = answerCalls(({ method, path }) => {
    if (path === '/api/projects') return { status: 200, body: [{ id: 1, name: 'Storefront' }] };
    if (method === 'GET') return answer ?? { status: 200, body: { ...RUNNER, ...change } };
    return { status: 204 };
  });
  const removed: string[] = [];
  await show(<RunnerPage id={4} onRemoved={async () => void removed.push('removed')} />);
  const changes = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
  return { changes, removed, user: userEvent.setup() };
};

describe('the page of a runner', () => {
  it('shows its state and settings, and links to its projects and tasks', async () => {
    await showRunner();
    expect(await screen.findByRole('heading', { name: 'rack-7' })).toBeTruthy();
    for (const text of [
      'In the DMZ',
      'Connected',
      '1 of 4',
      'dmz',
      '1.2.0',
      'Ansible 2.14.18',
      'deploy',
      'Programs of the runner, Python virtual environment (uv 0.9.1)',
    ])
      expect(screen.getByText(text)).toBeTruthy();
    const links = (await screen.findAllByRole('link', { name: 'Storefront' })).map((link) => link.getAttribute('href'));
    expect(links).toContain('/project/1/history');
    expect(screen.getByRole('link', { name: '#7' }).getAttribute('href')).toBe('/project/1/tasks/7');
    const ended = within(screen.getByRole('table', { name: 'Last tasks' }));
    expect(ended.getByRole('link', { name: '#6' })).toBeTruthy();
    expect(ended.getByText('Failed')).toBeTruthy();
    const isSorted = ended.getByRole('columnheader', { name: 'Task' }).getAttribute('aria-sort');
    expect(isSorted).toBe('descending');
  });

  it('pauses a runner', async () => {
    const { changes, user } = await showRunner();
    await user.click(await screen.findByRole('button', { name: 'Pause' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Runner rack-7 paused'));
    expect(changes()).toEqual([{ method: 'PUT', path: '/api/runners/4', body: { paused: true } }]);
  });

  it('resumes a paused runner', async () => {
    const { changes, user } = await showRunner({ paused: true });
    await user.click(await screen.findByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Runner rack-7 resumed'));
    expect(changes()).toEqual([{ method: 'PUT', path: '/api/runners/4', body: { paused: false } }]);
  });

  it('drains a runner after a confirmation', async () => {
    const { changes, user } = await showRunner();
    await user.click(await screen.findByRole('button', { name: 'Drain' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Drain runner/ }));
    await user.click(dialog.getByRole('button', { name: 'Drain' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Runner rack-7 finishes its tasks and stops'));
    expect(changes()).toMatchObject([{ method: 'POST', path: '/api/runners/4/drain' }]);
  });

  it('replaces the token of a runner', async () => {
    const { changes, user } = await showRunner();
    await user.click(await screen.findByRole('button', { name: 'Replace token' }));
    await waitFor(() =>
      expect(currentToast()?.text).toBe('The token of rack-7 will be replaced when the runner is connected'),
    );
    expect(changes()).toMatchObject([{ method: 'POST', path: '/api/runners/4/rotate' }]);
  });

  it('shows that a runner takes one task', async () => {
    await showRunner({ ephemeral: true });
    expect(await screen.findByText('one task, then it is deleted')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Replace token' })).toBeNull();
  });

  it('offers no drain and no removal of a connected local runner', async () => {
    await showRunner({ local: true, projects: null });
    expect(await screen.findByText('All projects')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Drain' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  });

  it('shows what a runner that is not connected last reported, and removes it', async () => {
    const { changes, removed, user } = await showRunner({ connected: false, projects: [], current_tasks: [] });
    expect(await screen.findByText('Not connected')).toBeTruthy();
    for (const text of ['1.2.0', 'No project', 'No running tasks.']) expect(screen.getByText(text)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Remove runner/ }));
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(removed).toEqual(['removed']));
    expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/runners/4' }]);
  });

  it('reports that a runner does not exist', async () => {
    await showRunner({}, { status: 404, body: { error: 'Not found.', code: 'not_found' } });
    expect((await screen.findAllByText('Runner not found')).length).toBeGreaterThan(0);
    expect(screen.getByRole('link', { name: 'Runners' }).getAttribute('href')).toBe('/runners');
  });
});
