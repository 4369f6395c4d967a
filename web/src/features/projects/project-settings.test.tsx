import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../lang/language.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { ProjectSettings } from './project-settings.tsx';

const INFO = { execution_environments: ['system', 'virtual'], default_execution_environment: { kind: 'system' } };
const PROJECT = {
  id: 1,
  name: 'Storefront',
  alert: false,
  alert_chat: '',
  alert_language: 'en',
  alert_silent_hosts: false,
  collect_facts: true,
  keep_tasks_days: null,
  keep_logs_days: null,
  keep_tasks_min: null,
  max_parallel_tasks: 2,
  runner_tags: ['dmz'],
  execution_environment: null,
};

const showSettings = async (permissions = 15, refusal?: Given, admin = true) => {
  closeToast();
  const calls = answerCalls(({ method, path }) => {
    if (path === '/api/user') return { status: 200, body: { id: 1, admin } };
    if (path.endsWith('/role')) return { status: 200, body: { role: 'owner', permissions } };
    if (path === '/api/info') return { status: 200, body: INFO };
    if (path === '/api/runners') return { status: 200, body: [{ tags: ['dmz', 'gpu'] }, { tags: ['linux'] }] };
    if (path.includes('/alerts/')) return { status: 200, body: [] };
    return method === 'GET' ? { status: 200, body: [PROJECT] } : (refusal ?? { status: 204 });
  });
  const deleted: string[] = [];
  await show(<ProjectSettings project={1} tabs={null} onDeleted={async () => void deleted.push('gone')} />);
  const changes = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
  return { changes, deleted, user: userEvent.setup() };
};

afterEach(() => chooseLanguage('en'));

describe('the settings of a project', () => {
  it('are sent only when something was changed', async () => {
    const { changes, user } = await showSettings();
    const save = await screen.findByRole('button', { name: 'Save project' });
    expect(save).toHaveProperty('disabled', true);
    await user.clear(screen.getByLabelText('Max parallel tasks'));
    await user.click(save);
    await waitFor(() => expect(currentToast()?.text).toBe('Project Storefront saved'));
    expect(changes()).toEqual([
      {
        method: 'PUT',
        path: '/api/project/1',
        body: {
          ...{
            name: 'Storefront',
            max_parallel_tasks: 0,
            alert: false,
            alert_chat: '',
            alert_language: 'en',
            alert_silent_hosts: false,
            collect_facts: true,
            keep_tasks_days: null,
            keep_logs_days: null,
            keep_tasks_min: null,
          },
          runner_tags: ['dmz'],
          execution_environment: null,
        },
      },
    ]);
  });

  it('set how long logs and tasks are kept', async () => {
    const { changes, user } = await showSettings();
    const logs = await screen.findByLabelText('Days to keep logs');
    await user.type(logs, '40000');
    await user.click(screen.getByRole('button', { name: 'Save project' }));
    expect(await screen.findByText(/^Enter 0 to 36,500 days/)).toBeTruthy();
    await user.clear(logs);
    await user.type(logs, '30');
    await user.click(screen.getByRole('button', { name: 'Save project' }));
    const body = { keep_logs_days: 30, keep_tasks_days: null, keep_tasks_min: null };
    await waitFor(() => expect(changes()).toMatchObject([{ body }]));
  });

  it('let only admins change the runner tags', async () => {
    const { changes, user } = await showSettings();
    const input = await screen.findByLabelText('Runner tags', { selector: 'input' });
    await waitFor(() => expect(input).toHaveProperty('disabled', false));
    await user.type(input, 'linux{Enter}');
    await user.click(screen.getByRole('button', { name: 'Save project' }));
    await waitFor(() => expect(changes()).toMatchObject([{ body: { runner_tags: ['dmz', 'linux'] } }]));
  });

  it('warn an admin while no runner has all of the tags', async () => {
    const { user } = await showSettings();
    const input = await screen.findByLabelText('Runner tags', { selector: 'input' });
    await waitFor(() => expect(input).toHaveProperty('disabled', false));
    expect(screen.queryByText(/No runner has all/)).toBeNull();
    await user.type(input, 'linux,');
    expect(await screen.findByText('No runner has all of these tags: tasks will wait.')).toBeTruthy();
    await user.type(input, '{backspace}gpu,');
    await waitFor(() => expect(screen.queryByText(/No runner has all/)).toBeNull());
  });

  it('show the runner tags to other owners', async () => {
    await showSettings(15, undefined, false);
    expect(await screen.findByText('dmz')).toBeTruthy();
    expect(screen.getByLabelText('Runner tags', { selector: 'input' })).toHaveProperty('disabled', true);
  });

  it('explain that 0 means unlimited, and refuse values that are not a number from 0', async () => {
    const { changes, user } = await showSettings();
    const limit = await screen.findByLabelText('Max parallel tasks');
    expect(screen.getByText('0 means unlimited')).toBeTruthy();
    await user.clear(limit);
    await user.type(limit, '1.5{Enter}');
    expect(screen.getByText('Must be integer')).toBeTruthy();
    await user.clear(limit);
    await user.type(limit, '-1{Enter}');
    expect(screen.getByText('Must be 0 or greater')).toBeTruthy();
    expect(changes()).toEqual([]);
  });

  it('show existing errors in a newly chosen language', async () => {
    const { user } = await showSettings();
    await user.clear(await screen.findByLabelText('Project name'));
    await user.click(screen.getByRole('button', { name: 'Save project' }));
    expect(screen.getByText('Project name is required')).toBeTruthy();
    await act(() => chooseLanguage('de'));
    await waitFor(() => expect(screen.queryByText('Project name is required')).toBeNull());
    expect(document.querySelector('[aria-invalid="true"]')).toBeTruthy();
  });

  it('delete the project after a confirmation', async () => {
    const { changes, deleted, user } = await showSettings();
    await user.click(await screen.findByRole('button', { name: 'Delete project' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Delete project/ }));
    expect(dialog.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true);
    await user.type(dialog.getByLabelText('Type Storefront to confirm'), 'Storefron');
    expect(dialog.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true);
    await user.keyboard('t');
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(deleted).toEqual(['gone']));
    expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/project/1' }]);
    expect(currentToast()?.text).toBe('Project Storefront deleted');
  });

  it('show why a project cannot be deleted', async () => {
    const { deleted, user } = await showSettings(15, { status: 409, body: { error: 'A task is running.' } });
    await user.click(await screen.findByRole('button', { name: 'Delete project' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Delete project/ }));
    await user.type(dialog.getByLabelText('Type Storefront to confirm'), 'Storefront');
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(currentToast()).toMatchObject({ kind: 'error', text: 'A task is running.' }));
    expect(deleted).toEqual([]);
  });

  it('are not shown to members without the permission', async () => {
    await showSettings(5);
    expect(await screen.findByText('You have read-only access')).toBeTruthy();
    expect(screen.queryByLabelText('Project name')).toBeNull();
  });
});
