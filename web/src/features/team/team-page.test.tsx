import type { ProjectUser, RoleSlug } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { showApp } from '../../testing/show-app.tsx';
import { answerCalls, type Given, type Made } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import type { ListState } from '../../ui/lists/list-state.ts';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { TeamPage } from './team-page.tsx';

const member = (id: number, name: string, role: RoleSlug): ProjectUser => ({
  id,
  user_id: id,
  project_id: 1,
  role,
  role_id: null,
  name,
  username: name.toLowerCase(),
});
const TEAM = [member(1, 'Mara', 'owner'), member(2, 'Ivo', 'guest')];
const ROLES = [
  ...['owner', 'manager', 'task_runner', 'guest'].map((slug) => ({ slug, title: slug, role_id: null })),
  { slug: 'custom', title: 'Release lead', role_id: 7 },
];

const showTeam = async (
  role: { role: string; permissions: number },
  answer: (made: Made) => Given = () => ({ status: 204 }),
) => {
  closeToast();
  const answers: Record<string, unknown> = {
    '/api/project/1/users': TEAM,
    '/api/project/1/roles': ROLES,
    '/api/project/1/role': role,
    '/api/user': { id: 1, name: 'Mara' },
    '/api/users': [...TEAM, { id: 5, username: 'ada', name: 'Ada' }],
  };
  const calls = answerCalls((made) =>
    made.method === 'GET' ? { status: 200, body: answers[made.path] ?? [] } : answer(made),
  );
  await show(
    <TestState<ListState> start={{}}>
      {(state, onState) => <TeamPage project={1} state={state} onState={onState} />}
    </TestState>,
  );
  await screen.findByText('Ivo');
  const changes = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
  return { calls, changes, user: userEvent.setup() };
};

/** What the browser of these tests refuses to do: it loads no pages. */
const watchNavigation = (): string[] => {
  const refused: string[] = [];
  const { jsdom } = globalThis as unknown as {
    jsdom: { virtualConsole: { on: (event: 'jsdomError', listener: (error: Error) => void) => void } };
  };
  jsdom.virtualConsole.on('jsdomError', ({ message }) => refused.push(message));
  return refused;
};

const OWNER = { role: 'owner', permissions: 15 };

describe('the team', () => {
  it('is requested in the order of names', async () => {
    const { calls } = await showTeam(OWNER);
    const asked = calls.find(({ path }) => path === '/api/project/1/users');
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({ sort: 'name', order: 'asc' });
  });

  it('changes a role without a further confirmation', async () => {
    const { changes, user } = await showTeam(OWNER);
    await user.click(await screen.findByRole('combobox', { name: 'Role of Ivo' }));
    await user.click(await screen.findByRole('option', { name: 'Task Runner' }));
    await waitFor(() =>
      expect(changes()).toEqual([
        { method: 'PUT', path: '/api/project/1/users/2', body: { user_id: 2, role: 'task_runner', role_id: null } },
      ]),
    );
    await waitFor(() => expect(currentToast()).toMatchObject({ kind: 'ok', text: 'Ivo is now Task Runner' }));
  });

  it('gives a role of the project', async () => {
    const { changes, user } = await showTeam(OWNER);
    await user.click(await screen.findByRole('combobox', { name: 'Role of Ivo' }));
    await user.click(await screen.findByRole('option', { name: 'Release lead' }));
    await waitFor(() => expect(changes()).toMatchObject([{ body: { user_id: 2, role: 'custom', role_id: 7 } }]));
    await waitFor(() => expect(currentToast()).toMatchObject({ kind: 'ok', text: 'Ivo is now Release lead' }));
  });

  it('shows why a role cannot be changed, and the current role', async () => {
    const { user } = await showTeam(OWNER, () => ({ status: 409, body: { error: 'A project needs an owner.' } }));
    await user.click(await screen.findByRole('combobox', { name: 'Role of Mara' }));
    await user.click(await screen.findByRole('option', { name: 'Guest' }));
    await waitFor(() => expect(currentToast()).toMatchObject({ kind: 'error', text: 'A project needs an owner.' }));
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Role of Mara' }).value).toBe('Owner');
  });

  it('adds a user who is not a member, with a role', async () => {
    const { changes, user } = await showTeam(OWNER);
    await user.click(await screen.findByRole('button', { name: 'New Team Member' }));
    const dialog = await screen.findByRole('dialog', { name: 'New Team Member' });
    await user.click(within(dialog).getByRole('button', { name: 'Add member' }));
    expect(within(dialog).getByText('User is required')).toBeTruthy();
    expect(within(dialog).getByText('Role is required')).toBeTruthy();
    expect(changes()).toEqual([]);
    await user.click(within(dialog).getByRole('combobox', { name: 'User' }));
    expect(screen.queryByRole('option', { name: 'Ivo (ivo)' })).toBeNull();
    await user.click(await screen.findByRole('option', { name: 'Ada (ada)' }));
    await user.click(within(dialog).getByRole('combobox', { name: 'Role' }));
    await user.click(await screen.findByRole('option', { name: 'Manager' }));
    await user.click(within(dialog).getByRole('button', { name: 'Add member' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(changes()).toEqual([
      { method: 'POST', path: '/api/project/1/users', body: { user_id: 5, role: 'manager', role_id: null } },
    ]);
  });

  it('removes a member after a confirmation', async () => {
    const { changes, user } = await showTeam(OWNER);
    await user.click(await screen.findByRole('button', { name: 'Remove Ivo' }));
    const dialog = await screen.findByRole('dialog', { name: /Remove member/ });
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/project/1/users/2' }]));
    await waitFor(() => expect(currentToast()?.text).toBe('Ivo removed'));
  });

  it('is read-only for members without the permission', async () => {
    await showTeam({ role: 'manager', permissions: 5 });
    expect(screen.queryByRole('button', { name: 'New Team Member' })).toBeNull();
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  });
});

describe('leaving a project', () => {
  it('is not offered to an owner', async () => {
    await showTeam(OWNER);
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Leave Project' });
    expect(button.disabled).toBe(true);
    expect(button.title).toBe("An owner can't leave the project");
  });

  it('loads the page again', async () => {
    const refused = watchNavigation();
    const { calls, user } = await showApp('/project/1/team', {
      answers: { '/api/project/1/users': TEAM, '/api/project/1/role': { role: 'guest', permissions: 0 } },
    });
    await user.click(await screen.findByRole('button', { name: 'Leave Project' }));
    const dialog = await screen.findByRole('dialog', { name: /Leave Project/ });
    await user.click(within(dialog).getByRole('button', { name: 'Leave Project' }));
    await waitFor(() => expect(refused).toEqual([expect.stringMatching(/navigation/)]));
    expect(calls.find(({ method }) => method === 'DELETE')?.path).toBe('/api/project/1/me');
  });

  it('shows why it is refused, and stays on the page', async () => {
    const { user } = await showTeam({ role: 'guest', permissions: 0 }, () => ({
      status: 409,
      body: { error: 'Not now.' },
    }));
    await user.click(await screen.findByRole('button', { name: 'Leave Project' }));
    const dialog = await screen.findByRole('dialog', { name: /Leave Project/ });
    await user.click(within(dialog).getByRole('button', { name: 'Leave Project' }));
    await waitFor(() => expect(currentToast()).toMatchObject({ kind: 'error', text: 'Not now.' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
