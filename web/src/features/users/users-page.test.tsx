import type { ApiToken, User } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given, type Made } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import type { ListState } from '../../ui/lists/list-state.ts';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { AccountDialog } from './account-dialog.tsx';
import { UsersPage } from './users-page.tsx';

const person = (id: number, name: string, change: Partial<User> = {}): User => ({
  id,
  name,
  username: name.toLowerCase(),
  email: `${name.toLowerCase()}@example.org`,
  admin: false,
  alert: false,
  external: false,
  can_create_project: false,
  ...change,
});
const token = (change: Partial<ApiToken>): ApiToken => ({
  ...{ id: 'sb_abd', user_id: 2, name: 'CI', prefix: 'sb_abd', created: '2026-11-21T10:00:00.000Z' },
  ...{ last_used: null, last_address: '', expires_at: null, expired: false },
  ...{ scopes: ['everything' as const], projects: null, templates: null },
  ...change,
});
const ME = person(1, 'Mara', { admin: true });
const FEW = [ME, person(2, 'Ivo'), person(3, 'Corp', { external: true })];
const MANY = Array.from({ length: 21 }, (_, at) => person(at + 10, `User-${String(at + 1).padStart(2, '0')}`));

interface Options {
  users?: User[];
  tokens?: ApiToken[];
  me?: User;
  /** Whether the server can send mail. */
  hasMail?: boolean;
  answer?: (made: Made) => Given;
}

const answering = ({
  users = FEW,
  tokens = [],
  me = ME,
  hasMail = false,
  answer = () => ({ status: 204 }),
}: Options) => {
  closeToast();
  const answers: Record<string, unknown> = {
    '/api/users': users,
    '/api/user': me,
    '/api/info': { alert_channels: hasMail ? ['email'] : [] },
    '/api/user/tokens': [token({ id: 'sb_abc', name: 'CI' }), ...tokens],
  };
  const calls = answerCalls((made) =>
    made.method === 'GET' ? { status: 200, body: answers[made.path] ?? [] } : answer(made),
  );
  return () => calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
};

const showUsers = async (options: Options = {}) => {
  const changes = answering(options);
  await show(
    <TestState<ListState> start={{}}>
      {(state, onState) => <UsersPage back={null} state={state} onState={onState} />}
    </TestState>,
  );
  await screen.findByText((options.users ?? FEW)[0]?.name ?? '');
  return { changes, user: userEvent.setup() };
};

const showAccount = async (me: User, needsPassword = false, hasMail = false, tokens: ApiToken[] = []) => {
  const changes = answering({
    me,
    hasMail,
    tokens,
    answer: ({ path, body }) => {
      if (path === '/api/user/email/proof') return { status: 200, body: { sent: true, fault: null, detail: '' } };
      if (path !== '/api/user/tokens') return { status: 204 };
      const given = (body as { current_password?: string }).current_password;
      if (!needsPassword || given === 'mine') return { status: 201, body: { id: 9, name: 'x', token: 'sb_secret' } };
      const current_password = given === undefined ? 'is required' : 'The current password is wrong.';
      return { status: 400, body: { error: `current_password ${current_password}.`, fields: { current_password } } };
    },
  });
  await show(<AccountDialog onClose={() => undefined} />);
  await screen.findByRole('dialog', { name: /Edit account/ });
  return { changes, user: userEvent.setup() };
};

describe('the users page', () => {
  it('shows 20 users per page', async () => {
    const { user } = await showUsers({ users: MANY });
    expect(screen.getAllByRole('row')).toHaveLength(21);
    expect(screen.getByText('1 to 20 of 21')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(screen.getAllByRole('row')).toHaveLength(2);
  });

  it('tags administrators, and does not let users delete themselves', async () => {
    await showUsers();
    expect(within(screen.getByText('Mara').closest('tr') as HTMLElement).getByText('admin')).toBeTruthy();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete Mara' })).toHaveProperty('disabled', true));
    expect(screen.getByRole('button', { name: 'Delete Ivo' })).toHaveProperty('disabled', false);
  });

  it('creates a user with all fields', async () => {
    const { changes, user } = await showUsers({ answer: () => ({ status: 201, body: person(7, 'Ada') }) });
    await user.click(screen.getByRole('button', { name: 'New user' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New user' }));
    await user.click(dialog.getByRole('button', { name: 'Save user' }));
    for (const text of ['Name', 'Username', 'Email', 'Password']) {
      expect(dialog.getByText(`${text} is required`)).toBeTruthy();
    }
    expect(changes()).toEqual([]);
    await user.type(dialog.getByLabelText('Name'), 'Ada');
    await user.type(dialog.getByLabelText('Username'), 'ada');
    await user.type(dialog.getByLabelText('Email'), 'ada@example.org');
    await user.type(dialog.getByLabelText('Password'), 'correct horse');
    await user.click(dialog.getByRole('checkbox', { name: 'System administrator' }));
    await user.click(dialog.getByRole('button', { name: 'Save user' }));
    await waitFor(() => expect(currentToast()?.text).toBe('User Ada created'));
    expect(changes()[0]).toMatchObject({
      method: 'POST',
      path: '/api/users',
      body: { name: 'Ada', username: 'ada', email: 'ada@example.org', password: 'correct horse', admin: true },
    });
  });

  it('keeps the form open and shows the error of the server', async () => {
    const answer = () => ({
      status: 409,
      body: { error: 'This username is taken.', fields: { username: 'is taken' } },
    });
    const { user } = await showUsers({ answer });
    await user.click(screen.getByRole('button', { name: 'Edit Ivo' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Edit user/ }));
    await user.type(dialog.getByLabelText('Username'), 'x');
    await user.click(dialog.getByRole('button', { name: 'Save user' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('This username is taken.');
    expect(dialog.getByText('is taken')).toBeTruthy();
    expect(dialog.getByLabelText<HTMLInputElement>('Username').value).toBe('ivox');
  });

  it('does not change username, email or password of a user who signs in with a provider', async () => {
    const { user } = await showUsers();
    expect(screen.getByRole('button', { name: 'Change the password of Corp' })).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: 'Edit Corp' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Edit user/ }));
    expect(dialog.getByLabelText('Username')).toHaveProperty('disabled', true);
    expect(dialog.getByLabelText('Email')).toHaveProperty('disabled', true);
    expect(dialog.queryByLabelText('Password')).toBeNull();
  });

  it('deletes a user after a confirmation, and shows a toast', async () => {
    const { changes, user } = await showUsers();
    await user.click(screen.getByRole('button', { name: 'Delete Ivo' }));
    const dialog = await screen.findByRole('dialog', { name: /Delete user/ });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/users/2' }]));
    await waitFor(() => expect(currentToast()?.text).toBe('User Ivo deleted'));
  });

  it('shows who has a second factor, and resets it after a confirmation, except the user’s own', async () => {
    const users = [
      person(1, 'Mara', { admin: true, second_factor: 'on' }),
      person(2, 'Ivo', { second_factor: 'on' }),
      person(3, 'Eva'),
    ];
    const { changes, user } = await showUsers({ users });
    const rowOf = (name: string) => within(screen.getByText(name).closest('tr') as HTMLElement);
    expect(rowOf('Ivo').getAllByText('Yes')).toHaveLength(1);
    expect(rowOf('Eva').queryByText('Yes')).toBeNull();
    const resets = screen.getAllByRole('button', { name: /^Reset the second factor/ });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Reset the second factor of Mara' })).toBeNull());
    expect(resets.at(-1)?.getAttribute('aria-label')).toBe('Reset the second factor of Ivo');
    await user.click(screen.getByRole('button', { name: 'Reset the second factor of Ivo' }));
    const dialog = await screen.findByRole('dialog', { name: /Reset the second factor/ });
    expect(changes()).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Reset' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Second factor of Ivo reset'));
    expect(changes()).toMatchObject([{ method: 'DELETE', path: '/api/users/2/second-factor' }]);
  });

  it('sets a new password, with a generated example of ten letters and digits', async () => {
    const { changes, user } = await showUsers();
    await user.click(screen.getByRole('button', { name: 'Change the password of Ivo' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Change password/ }));
    await user.click(dialog.getByRole('button', { name: 'Change password' }));
    expect(dialog.getAllByText('Password is required')).toHaveLength(2);
    await user.type(dialog.getByLabelText('New password'), 'short');
    await user.type(dialog.getByLabelText('Your password'), 'mine');
    await user.click(dialog.getByRole('button', { name: 'Change password' }));
    expect(dialog.getByText('At least 8 characters')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Use this password' }));
    await user.click(dialog.getByRole('button', { name: 'Change password' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Password changed'));
    expect(changes()).toMatchObject([{ method: 'POST', path: '/api/users/2/password' }]);
    expect(changes()[0]?.body).toEqual({
      password: expect.stringMatching(/^[A-Za-z0-9]{10}$/),
      current_password: 'mine',
      end_tokens: true,
    });
  });
});

describe('an unproven email address', () => {
  const claimed = (change: Partial<User> = {}) => person(2, 'Ivo', { email_proven: false, ...change });

  it('shows a warning in the account dialog, with a button that sends a confirmation email', async () => {
    const { changes, user } = await showAccount(claimed(), false, true);
    expect(screen.getByText(/^ivo@example.org is not confirmed/)).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Send confirmation email' }));
    expect(await screen.findByText(/^Open the link in the email within 24 hours/)).toBeTruthy();
    expect(changes()).toMatchObject([{ method: 'POST', path: '/api/user/email/proof' }]);
  });

  it('shows in the account dialog who can confirm it when the server has no mail', async () => {
    await showAccount(claimed());
    expect(await screen.findByText(/An administrator can confirm the address/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Send confirmation email' })).toBeNull();
  });

  it('shows no warning in the account dialog once it is proven', async () => {
    await showAccount(claimed({ email_proven: true }), false, true);
    expect(screen.queryByText(/is not confirmed/)).toBeNull();
  });

  it('is tagged in the list, where an administrator can confirm it', async () => {
    const { changes, user } = await showUsers({ users: [ME, claimed()] });
    expect(screen.getAllByText('unconfirmed')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Edit Ivo' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Edit user/ }));
    await user.click(dialog.getByRole('checkbox', { name: 'This email address is confirmed' }));
    await user.click(dialog.getByRole('button', { name: 'Save user' }));
    await waitFor(() => expect(changes()).toMatchObject([{ path: '/api/users/2', body: { email_proven: true } }]));
  });
});

describe('the account of the signed-in user', () => {
  it('contains no rights that only administrators may give', async () => {
    const { changes, user } = await showAccount(person(2, 'Ivo'));
    expect(screen.queryByRole('checkbox', { name: 'System administrator' })).toBeNull();
    await user.type(screen.getByLabelText('Name'), ' Lind');
    await user.click(screen.getByRole('button', { name: 'Save user' }));
    await waitFor(() => expect(currentToast()?.text).toBe('User Ivo Lind saved'));
    expect(changes()[0]).toMatchObject({ method: 'PUT', path: '/api/users/2' });
    expect(changes()[0]?.body).not.toHaveProperty('admin');
  });

  it('asks for the current password when the user changes their own email address', async () => {
    const { changes, user } = await showAccount(person(2, 'Ivo'));
    expect(screen.queryByLabelText('Your password')).toBeNull();
    await user.type(screen.getByLabelText('Email'), '.net');
    await user.click(screen.getByRole('button', { name: 'Save user' }));
    expect(screen.getByText('Password is required')).toBeTruthy();
    await user.type(screen.getByLabelText('Your password'), 'mine');
    await user.click(screen.getByRole('button', { name: 'Save user' }));
    await waitFor(() => expect(currentToast()?.text).toBe('User Ivo saved'));
    expect(changes()).toMatchObject([{ body: { email: expect.stringMatching(/\.net$/), current_password: 'mine' } }]);
  });

  it('links to the password, unless the user signs in with a provider', async () => {
    const { user } = await showAccount(person(2, 'Ivo'));
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByRole('dialog', { name: /Change password/ })).toBeTruthy();
  });

  it('has no password to change if the user signs in with a provider', async () => {
    await showAccount(person(3, 'Corp', { external: true }));
    expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull();
  });

  it('shows when each token expires, and which have expired', async () => {
    const past = token({ id: 'sb_old', name: 'Old', expires_at: '2026-01-05T10:00:00.000Z', expired: true });
    const soon = token({ id: 'sb_new', name: 'New', expires_at: '2026-12-24T10:00:00.000Z' });
    await showAccount(person(2, 'Ivo'), false, false, [past, soon]);
    const rowOf = async (name: string) =>
      (await screen.findByTitle(new RegExp(`^${name} `))).closest('li')?.textContent;
    expect(await rowOf('CI')).toContain('does not expire');
    expect(await rowOf('Old')).toMatch(/expired/);
    expect(await rowOf('New')).toMatch(/expires .*2026/);
  });

  it('shows a new token once, and revokes other tokens', async () => {
    const { changes, user } = await showAccount(person(2, 'Ivo'));
    await screen.findByText('never used');
    await user.type(screen.getByLabelText('Token name'), 'Backup{Enter}');
    expect(await screen.findByText('sb_secret')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Revoke CI' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Token CI revoked'));
    expect(changes()).toMatchObject([
      { method: 'POST', path: '/api/user/tokens', body: { name: 'Backup' } },
      { method: 'DELETE', path: '/api/user/tokens/sb_abc' },
    ]);
  });

  it('creates no token without a name', async () => {
    const { changes, user } = await showAccount(ME);
    await user.click(await screen.findByRole('button', { name: 'Create token' }));
    expect(await screen.findByText('Token name is required')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Token name'));
    expect(changes()).toEqual([]);
    await user.keyboard('B');
    expect(screen.queryByText('Token name is required')).toBeNull();
  });

  it('creates a token that expires after the chosen number of days', async () => {
    const { changes, user } = await showAccount(ME);
    await user.type(screen.getByLabelText('Token name'), 'Backup');
    await user.click(screen.getByRole('combobox', { name: 'Token expiration' }));
    await user.click(await screen.findByRole('option', { name: '90 days' }));
    const before = Date.now();
    await user.click(screen.getByRole('button', { name: 'Create token' }));
    await waitFor(() => expect(changes()).toHaveLength(1));
    const body = changes()[0]?.body as { expires_at: string };
    const days = (Date.parse(body.expires_at) - before) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(90);
    expect(days).toBeLessThan(90.01);
  });

  it('asks for the password when the sign-in is too old to create a token without it', async () => {
    const { changes, user } = await showAccount(person(2, 'Ivo'), true);
    await user.type(screen.getByLabelText('Token name'), 'Backup{Enter}');
    await user.type(await screen.findByLabelText('Your password'), 'wrong{Enter}');
    expect(await screen.findByText('The current password is wrong.')).toBeTruthy();
    await user.clear(screen.getByLabelText('Your password'));
    await user.type(screen.getByLabelText('Your password'), 'mine{Enter}');
    expect(await screen.findByText('sb_secret')).toBeTruthy();
    expect(changes().map(({ body }) => body)).toEqual([
      { name: 'Backup' },
      { name: 'Backup', current_password: 'wrong' },
      { name: 'Backup', current_password: 'mine' },
    ]);
  });
});
