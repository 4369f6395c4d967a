import type { Runner } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import type { ListState } from '../../ui/lists/list-state.ts';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { RunnersPage } from './runners-page.tsx';
import { SystemDialog } from './system-dialog.tsx';

const runner = (change: Partial<Runner>): Runner => ({
  id: 1,
  name: 'here',
  tags: [],
  description: '',
  paused: false,
  projects: null,
  local: true,
  ephemeral: false,
  connected: true,
  draining: false,
  version: '0.1.0',
  apps: [{ name: 'ansible', version: '2.14.18' }],
  environments: [{ kind: 'system', program: '', version: '' }],
  ansible: '2.14.18',
  run_as: 'automation',
  slots: 4,
  tasks: 1,
  created: '2026-11-21T10:00:00.000Z',
  last_contact: '2026-11-21T10:00:00.000Z',
  duplicate_seen: null,
  ...change,
});
const AWAY = runner({ id: 2, name: 'rack-7', local: false, connected: false, version: '', last_contact: null });
const LEFT = runner({ ...AWAY, id: 4, name: 'local@gone', local: true, tasks: 0 });
const RESTING = runner({ id: 6, name: 'resting', paused: true });
const SILENT = runner({ ...AWAY, id: 5, name: 'local@busy', local: true, tasks: 1 });

const showRunners = async () => {
  closeToast();
  const calls = answerCalls(({ method, path }) => {
    if (path === '/api/projects') return { status: 200, body: [] };
    if (method === 'GET') return { status: 200, body: [runner({}), AWAY, LEFT, SILENT, RESTING] };
    return method === 'POST' ? { status: 201, body: { ...AWAY, id: 3, token: 'sbr_once' } } : { status: 204 };
  });
  await show(
    <TestState<ListState> start={{}}>
      {(state, onState) => <RunnersPage back={null} state={state} onState={onState} />}
    </TestState>,
  );
  await screen.findByText('rack-7');
  return { calls, user: userEvent.setup() };
};

describe('the list of runners', () => {
  it('shows whether each runner is connected, what it runs and as which user', async () => {
    await showRunners();
    const cells = (name: string) =>
      [...(screen.getByText(name).closest('tr') as HTMLTableRowElement).cells].map(({ textContent }) => textContent);
    expect(cells('here').slice(0, 6)).toEqual([
      'here',
      'Connected',
      '1 of 4',
      'automation',
      '0.1.0',
      'Ansible 2.14.18',
    ]);
    expect(cells('rack-7').slice(1, 4)).toEqual(['Not connected', '1 of 4', '–']);
  });

  it('shows the token of a new runner once', async () => {
    const { calls, user } = await showRunners();
    await user.click(screen.getByRole('button', { name: 'New runner' }));
    const form = within(await screen.findByRole('dialog', { name: 'New runner' }));
    await user.click(form.getByRole('button', { name: 'Add runner' }));
    expect(form.getByText('Name is required')).toBeTruthy();
    await user.type(form.getByLabelText('Name'), 'rack-8');
    await user.type(form.getByRole('combobox', { name: 'Tags' }), 'dmz,gpu{Enter}');
    await user.click(form.getByRole('button', { name: 'Add runner' }));
    expect(await screen.findByText('sbr_once')).toBeTruthy();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'rack-8', tags: ['dmz', 'gpu'] });
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    expect(screen.queryByText('sbr_once')).toBeNull();
  });

  it('changes the settings of a runner', async () => {
    const { calls, user } = await showRunners();
    await user.click(screen.getByRole('button', { name: 'Edit rack-7' }));
    const form = within(await screen.findByRole('dialog', { name: /Edit runner/ }));
    await user.type(form.getByLabelText('Name'), '-a');
    await user.type(form.getByRole('combobox', { name: 'Tags' }), 'dmz{Enter}');
    await user.click(form.getByLabelText('Only tasks of these projects'));
    await user.click(form.getByRole('button', { name: 'Save runner' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Runner rack-7-a saved'));
    expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
      path: '/api/runners/2',
      body: { name: 'rack-7-a', description: '', tags: ['dmz'], projects: [] },
    });
  });

  it('keeps the name of a local runner, and names a paused one', async () => {
    const { user } = await showRunners();
    expect((screen.getByText('resting').closest('tr') as HTMLTableRowElement).cells[1]?.textContent).toBe('Paused');
    await user.click(screen.getByRole('button', { name: 'Edit here' }));
    const form = within(await screen.findByRole('dialog', { name: /Edit runner/ }));
    expect(form.getByLabelText('Name')).toHaveProperty('disabled', true);
  });

  it('offers to remove runners, except local runners that are connected or busy', async () => {
    const { calls, user } = await showRunners();
    expect(screen.queryByRole('button', { name: 'Remove here' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Remove local@busy' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Remove local@gone' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Remove rack-7' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Remove runner/ }));
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Runner rack-7 removed'));
    expect(calls.some(({ method, path }) => method === 'DELETE' && path === '/api/runners/2')).toBe(true);
  });
});

describe('the system information', () => {
  const showSystem = async (info: object) => {
    const apps = [{ name: 'ansible', version: '2.14.18' }];
    const body = {
      version: '0.1.0',
      apps,
      ansible: '2.14.18',
      database: 'sqlite',
      runners: 1,
      separated: true,
      ...info,
    };
    answerCalls(() => ({ status: 200, body }));
    await show(<SystemDialog onClose={() => undefined} />);
    return within(await screen.findByRole('dialog', { name: 'System information' }));
  };

  it('shows the current versions', async () => {
    const dialog = await showSystem({});
    for (const text of ['0.1.0', 'Ansible', '2.14.18', 'SQLite']) expect(await dialog.findByText(text)).toBeTruthy();
    expect(dialog.queryByText(/^(Tasks run as|No runner)/)).toBeNull();
  });

  it.each([
    [{ separated: false }, /^Tasks run as the same user as their runner/],
    [{ runners: 0, separated: null }, /^No runner is connected/],
  ])('warns about %j', async (info, text) => {
    const dialog = await showSystem(info);
    expect(await dialog.findByText(text)).toBeTruthy();
  });
});
