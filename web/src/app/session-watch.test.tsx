import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { showApp } from '../testing/show-app.tsx';
import { setSessionExpired, watchSession } from './session-watch.ts';

const KEY = { id: 4, project_id: 1, name: 'Deploy', type: 'none' };

/** The page with a form half filled, whose session the server no longer knows. */
const showExpired = async () => {
  let isKnown = false;
  const shown = await showApp('/project/1/keys?edit=4', {
    answers: { '/api/project/1/keys': [KEY] },
    answer: ({ method, path }) => {
      if (path === '/api/auth/login') isKnown = true;
      return method === 'PUT' && !isKnown ? { status: 401, body: { error: 'Sign in first.' } } : undefined;
    },
  });
  const stop = watchSession(shown.router, shown.client);
  await shown.user.type(await screen.findByLabelText('Name'), ' two');
  await shown.user.click(screen.getByRole('button', { name: 'Save key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in again' }, { timeout: 10_000 }));
  return { ...shown, dialog, stop };
};

describe('a session that ends while a page is open', () => {
  it('can be renewed on the same page, with the typed text', async () => {
    const { dialog, user, calls, stop } = await showExpired();
    await user.type(dialog.getByLabelText('Password'), 'secret{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sign in again' })).toBeNull());
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Deploy two');
    await user.click(screen.getByRole('button', { name: 'Save key' }));
    await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
    expect(calls.filter(({ method }) => method === 'PUT').at(-1)?.body).toMatchObject({ name: 'Deploy two' });
    stop();
  });

  it('offers the sign-in page, which returns to the current page', async () => {
    const { dialog, user, address, stop } = await showExpired();
    // biome-ignore lint/suspicious/noDocumentCookie: as the server clears it
    document.cookie = 'signalbox_signed_in=0; path=/';
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(address()).toMatch(/^\/auth\/login\?next=%2Fproject%2F1%2Fkeys/));
    setSessionExpired(false);
    stop();
  });

  it('can be renewed on the page that the user opens after the cookie was deleted', async () => {
    const shown = await showApp('/project/1/keys?edit=4', { answers: { '/api/project/1/keys': [KEY] } });
    const stop = watchSession(shown.router, shown.client);
    await shown.user.type(await screen.findByLabelText('Name'), ' two');
    // biome-ignore lint/suspicious/noDocumentCookie: as the server clears it
    document.cookie = 'signalbox_signed_in=0; path=/';
    await act(() => shown.router.navigate({ to: '/project/$projectId/keys', params: { projectId: 1 }, search: true }));
    await screen.findByRole('dialog', { name: 'Sign in again' }, { timeout: 10_000 });
    expect(shown.address()).toBe('/project/1/keys?edit=4');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Deploy two');
    act(() => setSessionExpired(false));
    stop();
  });
});

describe('a session of a user who must set up a second factor', () => {
  const DUE = { status: 403, body: { error: 'This server requires a second factor.', code: 'second_factor_due' } };
  const FACTOR = { mode: 'required', active: false, since: null, recovery_codes_left: 0 };

  it('is redirected to the setup, which continues to the requested page', async () => {
    let isDue = true;
    const shown = await showApp('/project/1/keys', {
      answers: { '/api/user/second-factor': FACTOR, '/api/project/1/keys': [KEY] },
      answer: ({ method, path }) => {
        if (path === '/api/user/second-factor' && method === 'POST')
          return { status: 200, body: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP' } };
        if (path.endsWith('/confirm')) {
          isDue = false;
          return { status: 200, body: { recovery_codes: ['abcd-efgh-jkmn-2345'] } };
        }
        return isDue && path !== '/api/user' && path !== '/api/user/second-factor' ? DUE : undefined;
      },
    });
    const stop = watchSession(shown.router, shown.client);
    await act(() => shown.router.navigate({ to: '/project/$projectId/team', params: { projectId: 1 } }));
    await screen.findByRole('heading', { name: 'Set up a second factor' }, { timeout: 10_000 });
    expect(shown.address()).toMatch(/^\/auth\/second-factor\?next=%2Fproject%2F1%2F/);
    await shown.user.type(await screen.findByLabelText('Your password'), 'secret{Enter}');
    await shown.user.type(await screen.findByLabelText('Code from the app'), '123456{Enter}');
    await shown.user.click(await screen.findByLabelText('I have saved the codes'));
    await shown.user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(shown.address()).toMatch(/^\/project\/1\//));
    stop();
  });
});
