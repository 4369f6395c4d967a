import type { RoleChoice } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { TestState } from '../../../testing/use-test-state.tsx';
import type { ListState } from '../../../ui/lists/list-state.ts';
import { currentToast } from '../../../ui/toast/toast-store.ts';
import { ProjectRoles } from './project-roles.tsx';

const fixed = (slug: 'owner' | 'manager' | 'task_runner' | 'guest', rights: RoleChoice['rights']): RoleChoice => ({
  slug,
  title: slug,
  role_id: null,
  rights,
  starts_from: null,
  of_system: true,
});
const own = (role_id: number, title: string, of_system: boolean): RoleChoice => ({
  slug: 'custom',
  title,
  role_id,
  rights: ['run_tasks', 'stop_tasks', 'edit_schedules'],
  starts_from: 'task_runner',
  of_system,
});
const ROLES = [
  fixed('owner', ['run_tasks']),
  fixed('task_runner', ['run_tasks', 'stop_tasks']),
  fixed('guest', []),
  own(7, 'Release lead', false),
  own(8, 'Operator', true),
];
const MEMBER = { user_id: 2, id: 2, project_id: 1, role: 'custom', role_id: 7, name: 'Ivo', username: 'ivo' };

const showRoles = async (permissions: number, refusal?: object) => {
  const answers: Record<string, unknown> = {
    '/api/project/1/roles': ROLES,
    '/api/project/1/users': [MEMBER],
    '/api/project/1/role': { role: 'owner', permissions },
  };
  const calls = answerCalls(({ method, path }) =>
    method === 'GET'
      ? { status: 200, body: answers[path] ?? [] }
      : refusal
        ? { status: 409, body: refusal }
        : { status: method === 'POST' ? 201 : 204 },
  );
  await show(
    <TestState<ListState> start={{}}>
      {(state, onState) => <ProjectRoles project={1} state={state} onState={onState} />}
    </TestState>,
  );
  await screen.findByText('Release lead');
  const changes = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
  return { changes, user: userEvent.setup() };
};

describe('roles of a project', () => {
  it('are listed with their rights and the members who have them', async () => {
    await showRoles(15);
    const row = screen.getByRole('row', { name: /Release lead/ });
    expect(within(row).getByText('Run tasks · Edit schedules and webhooks')).toBeTruthy();
    expect(within(row).getByText('Ivo')).toBeTruthy();
    expect(within(screen.getByRole('row', { name: /Guest/ })).getByText('Only see')).toBeTruthy();
  });

  it('are created with rights, beginning with those of a fixed role, whose difference is named', async () => {
    const { changes, user } = await showRoles(15);
    await user.click(await screen.findByRole('button', { name: 'New role' }));
    const dialog = await screen.findByRole('dialog', { name: 'New role' });
    await user.click(within(dialog).getByRole('button', { name: 'Save role' }));
    expect(within(dialog).getByText('Name is required')).toBeTruthy();
    await user.type(within(dialog).getByLabelText('Name'), 'On call');
    await user.click(within(dialog).getByRole('combobox', { name: 'Starts from' }));
    expect(screen.queryByRole('option', { name: 'Owner' })).toBeNull();
    await user.click(await screen.findByRole('option', { name: 'Task Runner' }));
    expect(within(dialog).getByText('No difference')).toBeTruthy();
    await user.click(within(dialog).getByRole('checkbox', { name: 'Edit keys' }));
    expect(within(dialog).getByText('Adds: Edit keys')).toBeTruthy();
    await user.click(within(dialog).getByRole('checkbox', { name: 'Run tasks' }));
    expect(within(dialog).getByText('Takes away: Run tasks')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Save role' }));
    await waitFor(() =>
      expect(changes()).toEqual([
        {
          method: 'POST',
          path: '/api/project/1/roles',
          body: { name: 'On call', starts_from: 'task_runner', rights: ['stop_tasks', 'edit_keys'] },
        },
      ]),
    );
  });

  it('are changed, with the number of people whom this concerns', async () => {
    const { changes, user } = await showRoles(15);
    await user.click(await screen.findByRole('button', { name: 'Edit Release lead' }));
    const dialog = await screen.findByRole('dialog', { name: /^Edit role/ });
    expect(within(dialog).getByText('Takes effect at once for 1 person, including open sessions.')).toBeTruthy();
    await user.click(within(dialog).getByRole('checkbox', { name: 'Edit schedules and webhooks' }));
    await user.click(within(dialog).getByRole('button', { name: 'Save role' }));
    await waitFor(() =>
      expect(changes()).toMatchObject([{ method: 'PUT', body: { rights: ['run_tasks', 'stop_tasks'] } }]),
    );
  });

  it('show why one in use is not deleted', async () => {
    const { user } = await showRoles(15, { error: 'Members still have the role.' });
    await user.click(await screen.findByRole('button', { name: 'Delete Release lead' }));
    const dialog = await screen.findByRole('dialog', { name: /^Delete role/ });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Members still have the role.'));
  });

  it('of the system and fixed ones are not changed here, and members without the right change none', async () => {
    await showRoles(15);
    await screen.findByRole('button', { name: 'New role' });
    expect(screen.queryByRole('button', { name: 'Edit Operator' })).toBeNull();
  });
});
