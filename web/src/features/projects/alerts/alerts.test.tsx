import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { answerCalls, type Given } from '../../../testing/test-fetch.ts';
import { closeToast, currentToast } from '../../../ui/toast/toast-store.ts';
import { ChatTest } from './chat-test.tsx';
import { Deliveries } from './deliveries.tsx';
import { Receivers } from './receivers.tsx';

const HOOK = { id: 4, project_id: 1, name: 'Ops', kind: 'webhook', active: true, has_secret: true };
const SLACK = { id: 5, project_id: 1, name: 'Chat', kind: 'slack', active: false, has_secret: false };

const LIST = '/api/project/1/alerts/receivers';

const showReceivers = async (receivers: object[] = [HOOK, SLACK], answer: Given = { status: 204 }) => {
  closeToast();
  const calls = answerCalls(({ method }) => (method === 'GET' ? { status: 200, body: receivers } : answer));
  await show(<Receivers project={1} />);
  const changes = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
  return { changes, user: userEvent.setup() };
};

describe('the receivers of alerts', () => {
  it('are listed with their kind and whether alerts are sent to them', async () => {
    await showReceivers();
    await screen.findByText('Ops');
    const rows = screen.getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringContaining('Name'),
      'ChatSlackPaused',
      'OpsSigned webhookActive',
    ]);
  });

  it('show an error when they cannot be loaded, and can be loaded again', async () => {
    let isOut = true;
    answerCalls(() => (isOut ? { status: 500, body: { error: 'Out of order.' } } : { status: 200, body: [HOOK] }));
    await show(<Receivers project={1} />);
    expect(await screen.findByText('Out of order.')).toBeTruthy();
    isOut = false;
    await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Ops')).toBeTruthy();
  });

  it('are added with a URL, and with a secret only if the kind signs its posts', async () => {
    const { changes, user } = await showReceivers([], { status: 201, body: HOOK });
    await user.click(await screen.findByRole('button', { name: 'New receiver' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New receiver' }));
    await user.click(dialog.getByRole('button', { name: 'Save receiver' }));
    expect(dialog.getByText('Address is required')).toBeTruthy();
    await user.type(dialog.getByLabelText('Name'), ' Ops ');
    await user.type(dialog.getByLabelText('Address'), 'ftp://x.example');
    await user.click(dialog.getByRole('button', { name: 'Save receiver' }));
    expect(dialog.getByText('Must start with https:// or http://')).toBeTruthy();
    expect(dialog.queryByLabelText('Secret')).toBeNull();
    await user.clear(dialog.getByLabelText('Address'));
    await user.type(dialog.getByLabelText('Address'), 'https://hooks.example.org/x');
    await user.click(dialog.getByRole('button', { name: 'Save receiver' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Receiver Ops created'));
    expect(changes()).toEqual([
      {
        method: 'POST',
        path: LIST,
        body: { name: 'Ops', kind: 'slack', active: true, url: 'https://hooks.example.org/x' },
      },
    ]);
  });

  it('keep their URL and secret unless a new one is typed or the secret is removed', async () => {
    const { changes, user } = await showReceivers();
    await user.click(await screen.findByRole('button', { name: 'Edit Ops' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Edit receiver/ }));
    expect(dialog.getByLabelText('Address')).toHaveProperty('value', '');
    await user.click(dialog.getByLabelText('Send alerts to this receiver'));
    await user.click(dialog.getByRole('button', { name: 'Save receiver' }));
    await waitFor(() => expect(changes()).toHaveLength(1));
    expect(changes()[0]).toEqual({
      method: 'PUT',
      path: `${LIST}/4`,
      body: { name: 'Ops', kind: 'webhook', active: false },
    });
    await user.click(await screen.findByRole('button', { name: 'Edit Ops' }));
    const again = within(await screen.findByRole('dialog', { name: /Edit receiver/ }));
    await user.click(again.getByLabelText('Remove the secret'));
    await user.click(again.getByRole('button', { name: 'Save receiver' }));
    await waitFor(() => expect(changes()).toHaveLength(2));
    expect(changes()[1]?.body).toMatchObject({ secret: '' });
  });

  it('can be tested, and the result is announced to screen readers', async () => {
    const { changes, user } = await showReceivers([HOOK], {
      status: 200,
      body: { sent: false, fault: 'refused', detail: '404' },
    });
    await user.click(await screen.findByRole('button', { name: 'Send a test to Ops' }));
    expect(await screen.findByText('The receiver refused the alert. (404)')).toBeTruthy();
    expect(changes()).toEqual([{ method: 'POST', path: `${LIST}/4/test`, body: undefined }]);
  });

  it('are deleted after a confirmation', async () => {
    const { changes, user } = await showReceivers();
    await user.click(await screen.findByRole('button', { name: 'Delete Ops' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Delete receiver/ }));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Receiver Ops deleted'));
    expect(changes()).toMatchObject([{ method: 'DELETE', path: `${LIST}/4` }]);
  });
});

const delivery = (id: number, values: object) => ({
  id,
  project_id: 1,
  task_id: (40 + id) as number | null,
  schedule_id: null,
  schedule: '',
  template: 'Deploy',
  status: 'error',
  channel: 'email',
  receiver: 'Ana',
  state: 'sent',
  attempts: 1,
  fault: null,
  detail: '',
  created: '2026-11-21T10:00:00.000Z',
  next_attempt: null,
  ended: null,
  ...values,
});

describe('the log of alerts', () => {
  it('shows an error when it cannot be loaded, can be loaded again, and keeps loaded rows', async () => {
    let isOut = true;
    answerCalls(() =>
      isOut ? { status: 500, body: { error: 'Out of order.' } } : { status: 200, body: [delivery(1, {})] },
    );
    const { client } = await show(<Deliveries project={1} />);
    expect(await screen.findByText('Out of order.')).toBeTruthy();
    isOut = false;
    await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Ana, Email')).toBeTruthy();
    isOut = true;
    await act(() => client.invalidateQueries());
    expect(await screen.findByText('Out of order.')).toBeTruthy();
    expect(screen.getByText('Ana, Email')).toBeTruthy();
  });

  it('shows the receiver and the state of each message, newest first, and loads more on request', async () => {
    const first = [
      delivery(60, {
        state: 'waiting',
        channel: 'webhook',
        receiver: 'Ops',
        attempts: 3,
        fault: 'failed',
        detail: '503',
      }),
      delivery(59, { channel: 'telegram', receiver: '' }),
      delivery(58, { task_id: null, schedule_id: 7, schedule: 'Nightly', status: 'not_started' }),
      ...Array.from({ length: 47 }, (_, n) => delivery(57 - n, {})),
    ];
    const calls = answerCalls(({ query }) => ({
      status: 200,
      body: query.get('before') === null ? first : [delivery(1, { state: 'failed', fault: 'refused', detail: '404' })],
    }));
    await show(<Deliveries project={1} />);
    const user = userEvent.setup();
    await screen.findByText('#100');
    const rows = screen.getAllByRole('row');
    expect(rows).toHaveLength(51);
    expect(rows[1]?.textContent).toMatch(
      /^#100Deploy.*Ops, Signed webhookWaiting3The receiver could not process the alert\. \(503\)$/,
    );
    expect(rows[2]?.textContent).toMatch(/^#99Deploy.*TelegramSent1$/);
    expect(screen.getByRole('link', { name: 'Nightly' }).getAttribute('href')).toMatch(/schedules\?edit=7$/);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(52));
    expect(calls.map(({ query }) => query.get('before'))).toEqual([null, '11']);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    expect(screen.getAllByRole('row').at(-1)?.textContent).toContain('Failed');
  });

  it('shows an empty state before a message was sent', async () => {
    answerCalls(() => ({ status: 200, body: [] }));
    await show(<Deliveries project={1} />);
    expect(await screen.findByText('No alerts sent yet.')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('the test of the chat', () => {
  it('shows the result, and tests only the saved chat', async () => {
    const calls = answerCalls(() => ({ status: 200, body: { sent: true, fault: null, detail: '' } }));
    const { rerender } = await show(<ChatTest project={1} isSaved />);
    await userEvent.setup().click(screen.getByRole('button', { name: 'Send a test to the chat' }));
    expect(await screen.findByText('The test was sent.')).toBeTruthy();
    expect(calls.map(({ path }) => path)).toEqual(['/api/project/1/alerts/chat/test']);
    rerender(<p />);
    await show(<ChatTest project={1} isSaved={false} />);
    expect(screen.getByRole('button', { name: 'Send a test to the chat' })).toHaveProperty('disabled', true);
  });
});
