import { QueryClient } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { queryKey } from '../../api/keys.ts';
import { show } from '../../testing/show.tsx';
import { APP_USER, showApp } from '../../testing/show-app.tsx';
import { answerCalls, type Given, type Made } from '../../testing/test-fetch.ts';
import { NewProjectPage } from './new-project-page.tsx';

const USER = { id: 1, name: 'Mara', username: 'mara', can_create_project: true };

const showPage = async (
  answer: (made: Made) => Given = () => ({ status: 201, body: { id: 7, name: 'Lab' } }),
  user = USER,
) => {
  const calls = answerCalls((made) => (made.method === 'GET' ? { status: 200, body: [] } : answer(made)));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  client.setQueryData(queryKey.user, user);
  client.setQueryData(queryKey.projects, []);
  const created: [number, boolean][] = [];
  await show(
    <NewProjectPage onCreated={(id, demo) => created.push([id, demo])} onCancel={() => created.push([0, false])} />,
    { client },
  );
  return { calls, created, user: userEvent.setup(), posts: () => calls.filter(({ method }) => method === 'POST') };
};

describe('the page of a new project', () => {
  it('sends the name and opens the created project', async () => {
    const { created, user, posts } = await showPage();
    await user.type(screen.getByLabelText('Project name'), ' Lab ');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(created).toEqual([[7, false]]));
    expect(posts()[0]?.body).toEqual({ name: 'Lab', max_parallel_tasks: 0, demo: false });
  });

  it('creates the demo project without a name', async () => {
    const { created, user, posts } = await showPage();
    await user.click(screen.getByRole('button', { name: 'Create Demo Project' }));
    await waitFor(() => expect(created).toEqual([[7, true]]));
    expect(posts()[0]?.body).toEqual({ name: 'Demo', max_parallel_tasks: 0, demo: true });
  });

  it('does not send invalid values', async () => {
    const { user, posts } = await showPage();
    await user.type(screen.getByLabelText('Max parallel tasks'), '-1');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(screen.getByText('Project name is required')).toBeTruthy();
    expect(screen.getByText('Must be 0 or greater')).toBeTruthy();
    await user.clear(screen.getByLabelText('Max parallel tasks'));
    await user.type(screen.getByLabelText('Max parallel tasks'), 'two');
    await user.click(screen.getByRole('button', { name: 'Create Demo Project' }));
    expect(screen.getByText('Must be integer')).toBeTruthy();
    expect(posts()).toEqual([]);
  });

  it('shows the error of the server at the top and at its field', async () => {
    const { created, user } = await showPage(() => ({
      status: 400,
      body: { error: 'The name is not right.', code: 'bad_input', fields: { name: 'must be on one line' } },
    }));
    await user.type(screen.getByLabelText('Project name'), 'Lab{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('The name is not right.');
    expect(screen.getByText('must be on one line')).toBeTruthy();
    expect(created).toEqual([]);
  });

  it('asks before it discards a typed name, but not after the project was created', async () => {
    const { user, router, address } = await showApp('/project/new', {
      answers: { '/api/user': { ...APP_USER, can_create_project: true } },
      answer: ({ method }) => (method === 'POST' ? { status: 201, body: { id: 2, name: 'Lab' } } : undefined),
    });
    await user.type(await screen.findByLabelText('Project name'), 'Lab');
    // Not awaited: it ends only when the confirmation is answered.
    act(() => void router.navigate({ to: '/project/$projectId/keys', params: { projectId: 1 } }));
    const confirmation = within(await screen.findByRole('dialog', { name: 'Unsaved changes' }));
    await user.click(confirmation.getByRole('button', { name: 'Keep editing' }));
    expect(address()).toBe('/project/new');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(address()).toMatch(/^\/project\/2\/history/));
    expect(screen.queryByRole('dialog', { name: 'Unsaved changes' })).toBeNull();
    // Loaded whole: what the router still waits for would come after the test.
    await waitFor(() => expect(router.state.status).toBe('idle'));
    await screen.findByRole('navigation', { name: 'Project' });
  });

  it('asks the user to contact an administrator when the user has no permission', async () => {
    await showPage(undefined, { ...USER, can_create_project: false });
    expect(screen.getByText('Ask an administrator to add mara to a project.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Create' })).toBeNull();
  });
});
