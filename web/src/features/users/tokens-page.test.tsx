import type { ApiToken, OwnedApiToken, User } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import type { ListState } from '../../ui/lists/list-state.ts';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { Tokens } from './tokens.tsx';
import { TokensPage } from './tokens-page.tsx';
import { UsersPage } from './users-page.tsx';

const PLAIN: ApiToken = {
  ...{ id: 'sbx_abcdef', user_id: 2, name: 'CI', prefix: 'sbx_abcdef', created: '2026-11-21T10:00:00.000Z' },
  ...{ last_used: null, last_address: '', expires_at: null, expired: false },
  ...{ scopes: ['everything'], projects: null, templates: null },
};
const LIMITED: OwnedApiToken = {
  ...{ ...PLAIN, name: 'Pipeline', number: 7, username: 'nightly', service: true, user_id: 4 },
  ...{ last_used: '2026-11-21T10:00:00.000Z', last_address: '10.0.0.9', scopes: ['run'] },
  ...{ projects: [{ id: 1, name: 'Shop' }], templates: [{ id: 5, name: 'Deploy', project_id: 1 }] },
};
const SERVICE: User = { id: 4, name: 'Nightly', username: 'nightly', email: '', service: true, admin: false };
const ADMIN: User = { id: 1, name: 'Mara', username: 'mara', email: 'mara@example.org', admin: true };

const given = () => {
  closeToast();
  const answers: Record<string, unknown> = {
    '/api/user': ADMIN,
    '/api/users': [ADMIN, SERVICE],
    '/api/tokens': [LIMITED, { ...LIMITED, ...PLAIN, number: 8, username: 'ivo', service: false, id: 'sbx_other' }],
    '/api/user/tokens': [],
    '/api/projects': [
      { id: 1, name: 'Shop' },
      { id: 2, name: 'Web' },
    ],
    '/api/project/1/templates': [
      { id: 5, name: 'Deploy' },
      { id: 6, name: 'Ping' },
    ],
  };
  const calls = answerCalls(({ method, path }) => {
    if (method === 'GET') return { status: 200, body: answers[path] ?? [] };
    return method === 'POST' ? { status: 201, body: { ...PLAIN, token: 'sbx_secret' } } : { status: 204 };
  });
  const changes = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
  return { changes, user: userEvent.setup() };
};

const showPage = (page: typeof TokensPage | typeof UsersPage) => {
  const Page = page;
  return show(
    <TestState<ListState> start={{}}>
      {(state, onState) => <Page back={null} state={state} onState={onState} />}
    </TestState>,
  );
};

it('the tokens page shows what each token may do and its last use, and revokes any after a confirmation', async () => {
  const { changes, user } = given();
  await showPage(TokensPage);
  const row = within((await screen.findByText('nightly')).closest('tr') as HTMLElement);
  expect(row.getByText('Read and run tasks · projects: Shop · runs only: Deploy')).toBeTruthy();
  expect(row.getByText(/from 10.0.0.9/)).toBeTruthy();
  expect(row.getByText('service')).toBeTruthy();
  await user.click(row.getByRole('button', { name: 'Revoke Pipeline' }));
  const dialog = within(await screen.findByRole('dialog', { name: /Revoke API token/ }));
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/tokens/7' }]));
  await waitFor(() => expect(currentToast()?.text).toBe('Token Pipeline revoked'));
});

it('the form of a new token restricts it to projects and templates, and shows a summary', async () => {
  const { changes, user } = given();
  await show(<Tokens />);
  const choose = async (field: string, option: string) => {
    await user.click(await screen.findByRole('combobox', { name: field }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  expect(screen.getByText('This token: Everything its user may do')).toBeTruthy();
  await choose('Permissions', 'Read and run tasks');
  await choose('Projects', 'Shop');
  await choose('Templates to run', 'Deploy');
  expect(screen.getByText('This token: Read and run tasks · projects: Shop · runs only: Deploy')).toBeTruthy();
  await user.type(screen.getByLabelText('Token name'), 'Pipeline');
  await user.click(screen.getByRole('button', { name: 'Create token' }));
  expect(await screen.findByText('sbx_secret')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Copy token' }));
  await waitFor(() => expect(currentToast()?.text).toBe('Token copied'));
  const body = { name: 'Pipeline', scopes: ['run'], projects: [1], templates: [5] };
  expect(changes()).toEqual([{ method: 'POST', path: '/api/user/tokens', body }]);
  await choose('Permissions', 'Metrics of the server only');
  expect(screen.queryByRole('combobox', { name: 'Projects' })).toBeNull();
});

it('the users page adds service accounts without email and password, and manages their tokens', async () => {
  const { changes, user } = given();
  await showPage(UsersPage);
  await screen.findByText('nightly');
  await user.click(screen.getByRole('button', { name: 'New user' }));
  const form = within(await screen.findByRole('dialog', { name: 'New user' }));
  await user.click(form.getByRole('checkbox', { name: 'Service account' }));
  expect(form.queryByLabelText('Email')).toBeNull();
  expect(form.queryByLabelText('Password')).toBeNull();
  await user.type(form.getByLabelText('Name'), 'Probe');
  await user.type(form.getByLabelText('Username'), 'probe');
  await user.click(form.getByRole('button', { name: 'Save user' }));
  await waitFor(() => expect(changes()).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'API tokens of Nightly' }));
  const tokens = within(await screen.findByRole('dialog', { name: /API tokens/ }));
  expect(await tokens.findByTitle(/^Pipeline /)).toBeTruthy();
  await user.type(tokens.getByLabelText('Token name'), 'Second{Enter}');
  expect(await tokens.findByText('sbx_secret')).toBeTruthy();
  const account = { name: 'Probe', username: 'probe', admin: false, can_create_project: false };
  expect(changes()).toEqual([
    { method: 'POST', path: '/api/users/service', body: account },
    { method: 'POST', path: '/api/users/4/tokens', body: { name: 'Second' } },
  ]);
});
