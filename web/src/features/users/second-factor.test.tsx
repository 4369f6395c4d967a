import type { SecondFactor, User } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls, type Given, type Made } from '../../testing/test-fetch.ts';
import { closeToast, currentToast } from '../../ui/toast/toast-store.ts';
import { AccountDialog } from './account-dialog.tsx';
import { SecondFactorRequiredPage } from './second-factor-required-page.tsx';

const ME: User = {
  id: 2,
  name: 'Ivo',
  username: 'ivo',
  email: 'ivo@example.org',
  admin: false,
  alert: false,
  external: false,
  can_create_project: false,
};
const OFF: SecondFactor = {
  mode: 'optional',
  active: false,
  since: null,
  recovery_codes_left: 0,
};
const ON: SecondFactor = { ...OFF, active: true, since: '2026-11-21T10:00:00.000Z', recovery_codes_left: 1 };
const SECRET = { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x:ivo?secret=JBSWY3DPEHPK3PXP' };
const CODES = Array.from({ length: 10 }, (_, n) => `abcd-efgh-jkmn-${2345 + n}`);
const PATH = '/api/user/second-factor';

type Answer = (made: Made) => Given | undefined;

/** The test server of a user with the given second factor, which is on after it is confirmed. */
const answering = (factor: SecondFactor, me: User, answer: Answer) => {
  closeToast();
  let now = factor;
  return answerCalls((made) => {
    const given = answer(made);
    if (given) return given;
    if (made.method === 'GET') {
      const answers: Record<string, unknown> = { '/api/user': me, '/api/info': { alert_channels: [] }, [PATH]: now };
      return { status: 200, body: answers[made.path] ?? [] };
    }
    if (made.path === PATH) return { status: 200, body: SECRET };
    if (made.path === `${PATH}/off`) return { status: 204 };
    now = { ...ON, recovery_codes_left: 10 };
    return { status: 200, body: { recovery_codes: CODES } };
  });
};

const made = (calls: readonly Made[]) =>
  calls.filter(({ method }) => method !== 'GET').map(({ path, body }) => ({ path, body }));

const showAccount = async (factor: SecondFactor, answer: Answer = () => undefined, me = ME) => {
  const calls = answering(factor, me, answer);
  await show(<AccountDialog onClose={() => undefined} />);
  await screen.findByRole('dialog', { name: /Edit account/ });
  const user = userEvent.setup();
  const step = async (button: string) => {
    await user.click(await screen.findByRole('button', { name: button }));
  };
  return { calls, user, step };
};

describe('turning on a second factor', () => {
  it('requires the password, shows the QR code, requires a code, and shows the recovery codes once', async () => {
    const { calls, user, step } = await showAccount(OFF, ({ path, body }) =>
      path === `${PATH}/confirm` && (body as { code: string }).code === '000000'
        ? { status: 400, body: { error: 'code is wrong.', fields: { code: 'is wrong or was already used' } } }
        : undefined,
    );
    await screen.findByText('You sign in with your password only.');
    await step('Turn on');
    await user.type(await screen.findByLabelText('Your password', {}, { timeout: 10_000 }), 'secret{Enter}');
    const code = await screen.findByRole('img', { name: 'QR code of the secret' }, { timeout: 10_000 });
    expect(code.querySelector('path')?.getAttribute('d')).toMatch(/^M0 0h1v1h-1z/);
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeTruthy();
    const field = screen.getByLabelText('Code from the app');
    expect(field.getAttribute('autocomplete')).toBe('one-time-code');
    await user.type(field, '000000{Enter}');
    expect(await screen.findByText('is wrong or was already used')).toBeTruthy();
    await user.clear(field);
    await user.type(field, '123 456{Enter}');
    const heading = await screen.findByRole('heading', { name: 'Recovery codes' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    for (const one of CODES) expect(screen.getByText(one)).toBeTruthy();
    expect(screen.queryByText(/JBSW/)).toBeNull();
    await step('Copy');
    await waitFor(() => expect(currentToast()?.text).toBe('Recovery codes copied'));
    expect(await navigator.clipboard.readText()).toBe(`${CODES.join('\n')}\n`);
    expect(screen.getByRole('button', { name: 'Done' })).toHaveProperty('disabled', true);
    await user.click(screen.getByLabelText('I have saved the codes'));
    await step('Done');
    expect(await screen.findByText(/10 recovery codes are left/)).toBeTruthy();
    expect(made(calls)).toEqual([
      { path: PATH, body: { current_password: 'secret' } },
      { path: `${PATH}/confirm`, body: { code: '000000' } },
      { path: `${PATH}/confirm`, body: { code: '123 456' } },
    ]);
  });

  it('starts again and shows the reason after the setup has expired', async () => {
    const late = 'There is nothing to confirm: start the setup again.';
    const { calls, user, step } = await showAccount(OFF, ({ path, body }) =>
      path === `${PATH}/confirm` && (body as { code: string }).code === '111111'
        ? { status: 409, body: { error: late, code: 'conflict' } }
        : undefined,
    );
    await step('Turn on');
    await user.type(await screen.findByLabelText('Your password', {}, { timeout: 10_000 }), 'secret{Enter}');
    await user.type(await screen.findByLabelText('Code from the app'), '111111{Enter}');
    await screen.findByRole('alert');
    const password = await screen.findByLabelText('Your password');
    expect(screen.getByRole('alert').textContent).toBe(late);
    await user.type(password, 'secret{Enter}');
    await user.type(await screen.findByLabelText('Code from the app'), '222222{Enter}');
    await screen.findByRole('heading', { name: 'Recovery codes' });
    expect(made(calls).map(({ body }) => body)).toEqual([
      { current_password: 'secret' },
      { code: '111111' },
      { current_password: 'secret' },
      { code: '222222' },
    ]);
  });

  it('is not offered if the server disables second factors', async () => {
    const { calls } = await showAccount({ ...OFF, mode: 'off' });
    await waitFor(() => expect(calls.some(({ path }) => path === PATH)).toBe(true));
    expect(screen.queryByRole('region', { name: 'Second factor' })).toBeNull();
  });

  it('is not requested for a user who signs in with a provider', async () => {
    const { calls } = await showAccount(OFF, () => undefined, { ...ME, external: true });
    expect(calls.some(({ path }) => path === PATH)).toBe(false);
  });
});

describe('a second factor that is turned on', () => {
  const prove = async (user: ReturnType<typeof userEvent.setup>, name: string, button: string) => {
    const dialog = within(await screen.findByRole('dialog', { name }, { timeout: 10_000 }));
    await user.click(dialog.getByRole('button', { name: button }));
    expect(dialog.getByText('Password is required')).toBeTruthy();
    expect(dialog.getByText('Code is required')).toBeTruthy();
    await user.type(dialog.getByLabelText('Your password'), 'secret');
    await user.type(dialog.getByLabelText('Code from the app, or a recovery code'), '123456');
    await user.click(dialog.getByRole('button', { name: button }));
  };

  it('is turned off with password and code', async () => {
    const { calls, user, step } = await showAccount(ON);
    await screen.findByText(/1 recovery code is left/);
    await step('Turn off');
    await prove(user, 'Turn off the second factor', 'Turn off');
    await waitFor(() => expect(currentToast()?.text).toBe('Second factor is off'));
    expect(made(calls)).toEqual([{ path: `${PATH}/off`, body: { current_password: 'secret', code: '123456' } }]);
  });

  it('shows an error only at its field', async () => {
    const wrong = {
      error: 'The current password is wrong.',
      fields: { current_password: 'The current password is wrong.' },
    };
    const { user, step } = await showAccount(ON, ({ path }) =>
      path === `${PATH}/off` ? { status: 400, body: wrong } : undefined,
    );
    await step('Turn off');
    await prove(user, 'Turn off the second factor', 'Turn off');
    expect(await screen.findByText('The current password is wrong.')).toBeTruthy();
    expect(screen.getAllByText('The current password is wrong.')).toHaveLength(1);
  });

  it('gets new recovery codes with password and code', async () => {
    const { calls, user, step } = await showAccount(ON);
    await step('New recovery codes');
    await prove(user, 'New recovery codes', 'Create new codes');
    expect(await screen.findByText(CODES[0] ?? '')).toBeTruthy();
    // They are not lost by a key.
    expect(screen.queryByRole('alert')).toBeNull();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('alert').textContent).toBe('Save the codes first: they are not shown again.');
    expect(screen.getByText(CODES[0] ?? '')).toBeTruthy();
    await user.click(screen.getByLabelText('I have saved the codes'));
    await user.keyboard('{Escape}');
    await screen.findByRole('dialog', { name: /Edit account/ });
    expect(made(calls)).toEqual([
      { path: `${PATH}/recovery-codes`, body: { current_password: 'secret', code: '123456' } },
    ]);
  });
});

describe('the page where a user must set up a second factor', () => {
  it('requires the password, and continues after the recovery codes were saved', async () => {
    const calls = answering({ ...OFF, mode: 'required' }, ME, () => undefined);
    const done: string[] = [];
    await show(<SecondFactorRequiredPage onDone={() => done.push('done')} />);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Your password', {}, { timeout: 10_000 }), 'secret{Enter}');
    await user.type(await screen.findByLabelText('Code from the app'), '123456{Enter}');
    await screen.findByText(CODES[9] ?? '');
    expect(done).toEqual([]);
    await user.click(screen.getByLabelText('I have saved the codes'));
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(done).toEqual(['done']);
    expect(made(calls)[0]).toEqual({ path: PATH, body: { current_password: 'secret' } });
  });

  it('continues at once if a second factor is already set up', async () => {
    answering(ON, ME, () => undefined);
    const done: string[] = [];
    await show(<SecondFactorRequiredPage onDone={() => done.push('done')} />);
    await waitFor(() => expect(done.length).toBeGreaterThan(0));
    expect(screen.queryByLabelText('Code from the app')).toBeNull();
  });
});
