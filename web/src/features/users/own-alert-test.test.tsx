import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given } from '../../testing/test-fetch.ts';
import { OwnAlertTest } from './own-alert-test.tsx';

const SENT = { sent: true, fault: null, detail: '' };

const answering = (answer: () => Given, alert_channels = ['email']) =>
  answerCalls(({ path }) => (path === '/api/info' ? { status: 200, body: { alert_channels } } : answer()));

/** What is read out after the button was pressed, and the calls it made. */
const press = async (answer: Given) => {
  const calls = answering(() => answer);
  await show(<OwnAlertTest />);
  const outcome = within(await screen.findByRole('status'));
  expect(screen.getByRole('status').textContent).toBe('');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Send a test email' }));
  return { outcome, calls };
};

describe('the test of the user’s own email alerts', () => {
  it('is sent by the button, and its result is announced', async () => {
    const { outcome, calls } = await press({ status: 200, body: SENT });
    expect(await outcome.findByText('The test was sent.')).toBeTruthy();
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/info',
      'POST /api/user/alerts/test',
    ]);
  });

  it('shows why the email was refused, and no error after the next one was accepted', async () => {
    let answer: object = { sent: false, fault: 'not_configured', detail: '' };
    answering(() => ({ status: 200, body: answer }));
    await show(<OwnAlertTest />);
    const [user, button] = [userEvent.setup(), await screen.findByRole('button', { name: 'Send a test email' })];
    const outcome = within(screen.getByRole('status'));
    await user.click(button);
    expect(await outcome.findByText(/SIGNALBOX_SMTP_HOST/)).toBeTruthy();
    answer = { sent: false, fault: 'refused', detail: '550' };
    await user.click(button);
    expect(await outcome.findByText(/550/)).toBeTruthy();
    answer = SENT;
    await user.click(button);
    expect(await outcome.findByText('The test was sent.')).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('The test was sent.');
  });

  it('is not offered by a server that cannot send email', async () => {
    const calls = answering(() => ({ status: 200, body: SENT }), ['telegram']);
    await show(<OwnAlertTest />);
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'Send a test email' })).toBeNull();
  });

  it('shows when the server accepts no more tests', async () => {
    const { outcome } = await press({ status: 429, body: { error: 'Too many test alerts; try again in an hour.' } });
    expect(await outcome.findByText('Too many test alerts; try again in an hour.')).toBeTruthy();
  });
});
