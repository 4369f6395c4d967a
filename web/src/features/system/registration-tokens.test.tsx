import type { RunnerRegistration } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, onTestFinished } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { currentToast } from '../../ui/toast/toast-store.ts';
import { RegisterCommand } from './register-command.tsx';
import { RegistrationTokensDialog } from './registration-tokens-dialog.tsx';

const registration = (change: Partial<RunnerRegistration>): RunnerRegistration => ({
  id: 1,
  name: 'Runners in the DMZ',
  tags: ['dmz', 'linux'],
  uses: 5,
  uses_left: 3,
  expires: '2026-12-21T10:00:00.000Z',
  expired: false,
  created: '2026-11-21T10:00:00.000Z',
  created_by: 'Ada',
  creator_is_admin: true,
  ...change,
});
const OLD = registration({ id: 2, name: 'Old', tags: [], uses: 1, uses_left: 0, expired: true, created_by: '' });
const REFUSED = registration({ id: 4, name: 'Refused', tags: [], creator_is_admin: false });

const showDialog = async (refusal?: object) => {
  const calls = answerCalls(({ method }) => {
    if (method === 'GET') return { status: 200, body: [registration({}), OLD, REFUSED] };
    if (method === 'DELETE') return { status: 204 };
    return refusal
      ? { status: 400, body: refusal }
      : { status: 201, body: { ...registration({ id: 3 }), token: 'sbreg_once' } };
  });
  await show(<RegistrationTokensDialog onClose={() => undefined} />);
  await screen.findByText('Old');
  return { calls, user: userEvent.setup() };
};

describe('the registration tokens', () => {
  it('are listed with their tags, uses, expiry and creator', async () => {
    await showDialog();
    const [first, second, third] = within(screen.getByRole('list', { name: 'Registration tokens' })).getAllByRole(
      'listitem',
    );
    expect(first?.textContent).toContain('dmz, linux · created by Ada');
    expect(first?.textContent).toContain('3 of 5 left');
    expect(first?.textContent).toContain('expires');
    expect(second?.textContent).toBe('Old0 of 1 left · expired');
    expect(third?.textContent).toContain("created by Ada · doesn't work: its creator is no longer an administrator");
  });

  it('are created with a name, and the ready command is shown and copied', async () => {
    const { calls, user } = await showDialog();
    await user.click(screen.getByRole('button', { name: 'New registration token' }));
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
    await user.type(screen.getByRole('combobox', { name: 'Tags' }), 'dmz,');
    await user.type(screen.getByRole('textbox', { name: 'Name of the token' }), ' edge {enter}');
    const command = await screen.findByText(/runner register \\/);
    expect(screen.getByText(/signalbox.mjs runner$/).textContent).toContain('SIGNALBOX_RUNNER_DATA=/var/lib/');
    expect(screen.getByText(/^The other machine cannot reach localhost/)).toBeTruthy();
    expect(command.textContent).toContain('SIGNALBOX_REGISTRATION_TOKEN=sbreg_once');
    expect(command.textContent).toContain('--url http');
    expect(calls.find(({ method }) => method === 'POST')).toMatchObject({
      body: { name: 'edge', tags: ['dmz'], uses: 1, valid_seconds: 3600 },
    });
    await user.click(screen.getByRole('button', { name: 'Copy command' }));
    expect(await navigator.clipboard.readText()).toBe(command.textContent);
  });

  it('show no warning about an address that other machines reach', async () => {
    const base = document.head.appendChild(document.createElement('base'));
    base.href = 'https://signalbox.example.com/';
    onTestFinished(() => base.remove());
    await show(<RegisterCommand token="sbreg_once" />);
    expect(screen.getByText('Then start the runner there:')).toBeTruthy();
    expect(screen.queryByText(/cannot reach/)).toBeNull();
  });

  it('show what is wrong with a field', async () => {
    const { user } = await showDialog({ error: 'No.', code: 'bad_input', fields: { uses: 'must be at most 1000' } });
    await user.type(screen.getByRole('textbox', { name: 'Name of the token' }), 'edge{enter}');
    expect(await screen.findByText('must be at most 1000')).toBeTruthy();
  });

  it('are revoked', async () => {
    const { calls, user } = await showDialog();
    await user.click(screen.getByRole('button', { name: 'Revoke Old' }));
    await waitFor(() => expect(currentToast()?.text).toBe('Registration token Old revoked'));
    expect(calls.find(({ method }) => method === 'DELETE')?.path).toContain('/runners/registrations/2');
  });
});
