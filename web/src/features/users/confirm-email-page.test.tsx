import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { ConfirmEmailPage } from './confirm-email-page.tsx';

const showPage = async (token: string, { isProven = false, answer = { status: 204 } as Given } = {}) => {
  const me = { id: 2, name: 'Ivo', username: 'ivo', email: 'ivo@example.org', email_proven: isProven };
  const calls = answerCalls((made) => (made.method === 'GET' ? { status: 200, body: me } : answer));
  await show(<ConfirmEmailPage token={token}>the way on</ConfirmEmailPage>);
  await screen.findByRole('heading', { name: 'Confirm your email address' });
  return { changes: () => calls.filter(({ method }) => method !== 'GET'), user: userEvent.setup() };
};

describe('the page of a mailed link', () => {
  it('confirms nothing before a click, and names the address and the account', async () => {
    const { changes, user } = await showPage('the-token');
    expect(screen.getByText('Use ivo@example.org as the email address of the account ivo?')).toBeTruthy();
    expect(changes()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Confirm address' }));
    expect(await screen.findByText('ivo@example.org is confirmed.')).toBeTruthy();
    expect(changes()).toMatchObject([{ path: '/api/user/email/confirm', body: { token: 'the-token' } }]);
    expect(screen.queryByRole('button', { name: 'Confirm address' })).toBeNull();
  });

  it('shows why the server refuses the link', async () => {
    const body = { error: 'This link no longer works.', code: 'conflict' };
    const { user } = await showPage('old', { answer: { status: 409, body } });
    await user.click(screen.getByRole('button', { name: 'Confirm address' }));
    expect((await screen.findByRole('alert')).textContent).toBe('This link no longer works.');
  });

  it('has no button without a token, or for a confirmed address', async () => {
    await showPage('');
    expect(screen.getByRole('alert').textContent).toBe('The link is incomplete. Open it again from the email.');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('shows that the address is already confirmed', async () => {
    await showPage('used', { isProven: true });
    expect(screen.getByText('Your email address is already confirmed.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
