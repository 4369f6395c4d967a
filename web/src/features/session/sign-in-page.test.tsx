import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../lang/language.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given, type Made } from '../../testing/test-fetch.ts';
import { storage } from '../../ui/browser/storage.ts';
import { SignInPage } from './sign-in-page.tsx';

const OPTIONS = {
  oidc_providers: [],
  login_with_password: true,
  command: 'SIGNALBOX_DATA=/srv/box /opt/box/bin/signalbox.mjs',
};

const showPage = async (answer: (made: Made) => Given, options: object = OPTIONS, more: object = {}) => {
  const calls = answerCalls((made) => (made.method === 'GET' ? { status: 200, body: options } : answer(made)));
  const entered: string[] = [];
  await show(<SignInPage onSignedIn={() => entered.push('in')} {...more} />);
  return { calls, entered, user: userEvent.setup() };
};

afterEach(() => chooseLanguage('en'));

describe('the sign-in page', () => {
  it('sends name and password with Enter, and opens the console', async () => {
    const { calls, entered, user } = await showPage(() => ({ status: 204 }));
    await user.type(screen.getByLabelText('Username or email'), 'mara');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    await waitFor(() => expect(entered).toEqual(['in']));
    expect(calls.find(({ method }) => method === 'POST')).toMatchObject({
      path: '/api/auth/login',
      body: { auth: 'mara', password: 'secret' },
    });
  });

  it('shows that the name or the password is wrong', async () => {
    const { entered, user } = await showPage(() => ({ status: 401, body: { error: 'No.', code: 'wrong_login' } }));
    await user.type(screen.getByLabelText('Username or email'), 'mara');
    await user.type(screen.getByLabelText('Password'), 'wrong{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Incorrect login or password');
    expect(entered).toEqual([]);
  });

  describe('the sign-in page with a second factor', () => {
    const NEEDED = { status: 401, body: { error: 'Give the code.', code: 'second_factor_needed' } };
    const showCode = async (answer: (body: unknown) => Given) => {
      const shown = await showPage(({ path, body }) => (path === '/api/auth/login' ? NEEDED : answer(body)), {
        ...OPTIONS,
        oidc_providers: [{ id: 'corp', name: 'Corp', color: '', icon: '' }],
      });
      await shown.user.type(screen.getByLabelText('Username or email'), 'mara');
      await shown.user.type(screen.getByLabelText('Password'), 'secret{Enter}');
      const field = await screen.findByLabelText<HTMLInputElement>('Code', {}, { timeout: 10_000 });
      return { ...shown, field };
    };

    it('asks only for the code, which may be pasted with spaces', async () => {
      const { calls, entered, field, user } = await showCode(() => ({ status: 204 }));
      expect(field.getAttribute('autocomplete')).toBe('one-time-code');
      expect(field.inputMode).toBe('numeric');
      expect(document.activeElement).toBe(field);
      expect(screen.queryByLabelText('Password')).toBeNull();
      expect(screen.queryByRole('link', { name: 'Corp' })).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Sign in' }));
      expect(screen.getByText('Code is required')).toBeTruthy();
      await user.click(field);
      await user.paste('123 456');
      await user.keyboard('{Enter}');
      await waitFor(() => expect(entered).toEqual(['in']));
      expect(calls.at(-1)).toMatchObject({ path: '/api/auth/second-factor', body: { code: '123 456' } });
    });

    it('shows that a code is wrong, and accepts a recovery code', async () => {
      const { entered, field, user } = await showCode((body) =>
        (body as { code: string }).code === 'abcd-efgh-jkmn-2345'
          ? { status: 204 }
          : { status: 401, body: { error: 'This code is wrong or was already used.', code: 'wrong_code' } },
      );
      await user.type(field, '000000{Enter}');
      expect((await screen.findByRole('alert')).textContent).toBe('This code is wrong or was already used.');
      // The next one replaces it.
      await user.keyboard('1');
      expect(field.value).toBe('1');
      await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
      expect(screen.queryByRole('alert')).toBeNull();
      const recovery = screen.getByLabelText<HTMLInputElement>('Recovery code');
      expect(recovery.value).toBe('');
      await user.type(recovery, 'abcd-efgh-jkmn-2345{Enter}');
      await waitFor(() => expect(entered).toEqual(['in']));
    });

    it('starts again with the reason after the sign-in has expired', async () => {
      const { entered, field, user } = await showCode(() => ({
        status: 401,
        body: { error: 'This sign-in has expired: start again with your password.', code: 'not_signed_in' },
      }));
      await user.type(field, '123456{Enter}');
      expect((await screen.findByRole('alert')).textContent).toContain('start again');
      expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('');
      expect(entered).toEqual([]);
    });
  });

  it('shows the message of the server for other failures', async () => {
    const { user } = await showPage(() => ({ status: 429, body: { error: 'Too many attempts.', code: 'too_many' } }));
    await user.type(screen.getByLabelText('Username or email'), 'mara');
    await user.type(screen.getByLabelText('Password'), 'x{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts.');
  });

  it('sends nothing without a name or a password', async () => {
    const { calls, user } = await showPage(() => ({ status: 204 }));
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByText('Username is required')).toBeTruthy();
    expect(screen.getByText('Password is required')).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('shows the commands for lost access as they are typed on this installation', async () => {
    const { user } = await showPage(() => ({ status: 204 }));
    await user.click(screen.getByRole('button', { name: "Can't sign in?" }));
    const dialog = await screen.findByRole('dialog', { name: 'Help with signing in' }, { timeout: 10_000 });
    const commands = [...dialog.querySelectorAll('code')].map(({ textContent }) => textContent);
    expect(commands).toEqual(
      [
        'user list',
        'user change-by-login --login john --password choose-your-own',
        'user second-factor reset --login john',
        'user add --admin --login john --name John --email john@example.com --password choose-your-own',
      ].map((args) => `${OPTIONS.command} ${args}`),
    );
  });

  it('offers providers, and only providers if passwords are disabled', async () => {
    await showPage(() => ({ status: 204 }), {
      oidc_providers: [{ id: 'corp', name: 'Corporate account', color: '#123456', icon: '' }],
      login_with_password: false,
    });
    const link = await screen.findByRole('link', { name: 'Corporate account' });
    expect(link.getAttribute('href')).toBe('api/auth/oidc/corp/login');
    expect(screen.queryByLabelText('Password')).toBeNull();
  });

  it('shows each provider with its colour and icon, or with a key if it has none', async () => {
    const provider = (id: string, color: string, icon: string) => ({ id, name: id, color, icon });
    await showPage(() => ({ status: 204 }), {
      ...OPTIONS,
      oidc_providers: [provider('one', '#123456', 'globe'), provider('two', '', ''), provider('three', '', 'nothing')],
    });
    const first = await screen.findByRole('link', { name: 'one' });
    expect(first.querySelector('span')?.style.background).toMatch(/rgb\(18, 52, 86\)|#123456/);
    const drawings = ['one', 'two', 'three'].map((name) => screen.getByRole('link', { name }).querySelector('svg'));
    expect(drawings[0]?.innerHTML).not.toBe(drawings[1]?.innerHTML);
    expect(drawings[1]?.innerHTML).toBe(drawings[2]?.innerHTML);
  });

  it('passes the requested page to the provider', async () => {
    const corp = { id: 'corp', name: 'Corp', color: '#ffcc00', icon: '' };
    await showPage(() => ({ status: 204 }), { ...OPTIONS, oidc_providers: [corp] }, { page: '/project/1/history?t=7' });
    const link = await screen.findByRole('link', { name: 'Corp' });
    expect(link.getAttribute('href')).toBe('api/auth/oidc/corp/login?return=%2Fproject%2F1%2Fhistory%3Ft%3D7');
    expect(link.querySelector('span')?.style.color).toMatch(/rgb\(0, 0, 0\)|#000/);
  });

  it('shows why a sign-in with a provider failed, and nothing for an unknown reason', async () => {
    await showPage(() => ({ status: 204 }), OPTIONS, { errorCode: 'denied' });
    expect(screen.getByRole('alert').textContent).toBe('The sign-in was cancelled at the provider.');
    cleanup();
    for (const errorCode of ['toString', 'nothing', '']) {
      await showPage(() => ({ status: 204 }), OPTIONS, { errorCode });
      expect(screen.queryByRole('alert'), errorCode).toBeNull();
      cleanup();
    }
  });

  it('changes the language at once, and keeps the input', async () => {
    const { user } = await showPage(() => ({ status: 204 }));
    await user.type(screen.getByLabelText('Username or email'), 'mara');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'Deutsch');
    expect(await screen.findByRole('button', { name: 'Anmelden' })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Benutzername oder E-Mail').value).toBe('mara');
    expect(storage.language()).toBe('de');
    expect(document.documentElement.lang).toBe('de');
    expect(document.title).toBe('Anmelden · Signalbox');
  });
});
