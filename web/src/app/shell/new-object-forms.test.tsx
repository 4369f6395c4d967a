import type { Key } from '@signalbox/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { KeySelect } from '../../features/resources/key-select.tsx';
import { NO_SECRET } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { NewObjects } from './new-object-forms.tsx';

const DEPLOY: Key = { id: 4, project_id: 1, name: 'Deploy', type: 'none', ...NO_SECRET };
const BACKUP: Key = { ...DEPLOY, id: 9, name: 'Backup' };

const Field = () => {
  const [value, setValue] = useState<string | null>(null);
  return <KeySelect project={1} label="Login" value={value} onChange={setValue} />;
};

const showField = async (permissions: number) => {
  const keys = [DEPLOY];
  const calls = answerCalls(({ method, path }) => {
    if (path.endsWith('/role')) return { status: 200, body: { role: 'manager', permissions } };
    if (path.endsWith('/keys') && method === 'POST') {
      keys.push(BACKUP);
      return { status: 201, body: BACKUP };
    }
    return { status: 200, body: path.endsWith('/keys') ? keys : [] };
  });
  const submit = vi.fn();
  await show(
    <NewObjects project={1}>
      <form onSubmit={submit}>
        <Field />
      </form>
    </NewObjects>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('combobox', { name: 'Login' }));
  await screen.findByRole('option', { name: 'Deploy' });
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent?.trim());
  return { calls, user, submit, options };
};

it('a select creates an object in a dialog over its form, and chooses it', async () => {
  const { calls, user, submit, options } = await showField(5);
  expect(options()).toEqual(['Deploy', 'New key']);
  await user.keyboard('zz');
  await waitFor(() => expect(options()).toEqual(['New key']));
  await user.click(screen.getByRole('option', { name: 'New key' }));
  const dialog = within(await screen.findByRole('dialog', { name: /New key/ }));
  await user.type(await dialog.findByLabelText('Name'), 'Backup');
  await user.click(dialog.getByRole('combobox', { name: 'Type' }));
  await user.click(await screen.findByRole('option', { name: 'None' }));
  await user.click(dialog.getByRole('button', { name: 'Save key' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Login' }).value).toBe('Backup');
  expect(calls.filter(({ method }) => method === 'POST')).toMatchObject([{ path: '/api/project/1/keys' }]);
  expect(submit).not.toHaveBeenCalled();
});

it('a select offers no new object to a user who may not create one', async () => {
  const { options } = await showField(0);
  expect(options()).toEqual(['Deploy']);
});
