import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { showApp } from '../../testing/show-app.tsx';

const CONFIRMATION = 'Your changes will be lost.';

const halfKey = async () => {
  const shown = await showApp('/project/1/keys');
  await shown.user.click((await screen.findAllByRole('button', { name: 'New key' }))[0] as HTMLElement);
  const form = within(await screen.findByRole('dialog', { name: 'New key' }));
  const name = form.getByLabelText<HTMLInputElement>('Name');
  return { ...shown, form, name };
};

describe('a form with unsaved values', () => {
  it('asks before the Back button of the browser closes it', async () => {
    const { user, router, address, form, name } = await halfKey();
    await user.type(name, 'Half');
    act(() => router.history.back());
    expect(await form.findByText(CONFIRMATION)).toBeTruthy();
    expect(address()).toBe('/project/1/keys?edit=new');
    await user.click(form.getByRole('button', { name: 'Keep editing' }));
    expect(name.value).toBe('Half');
    act(() => router.history.back());
    await user.click(await form.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/project/1/keys');
  });

  it('is closed by the Back button while nothing was typed', async () => {
    const { router, address } = await halfKey();
    act(() => router.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/project/1/keys');
  });

  it('keeps the values when Esc is pressed a second time', async () => {
    const { user, form, name } = await halfKey();
    await user.type(name, 'Half');
    await user.keyboard('{Escape}');
    expect(await form.findByText(CONFIRMATION)).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(form.queryByText(CONFIRMATION)).toBeNull();
    expect(name.value).toBe('Half');
  });

  it('asks before the user leaves the page', async () => {
    const { user, name } = await halfKey();
    const leaving = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(leaving()).toBe(false);
    await user.type(name, 'Half');
    expect(leaving()).toBe(true);
  });

  it('keeps the typed values while its data cannot be loaded again', async () => {
    const { user, client, name } = await halfKey();
    await user.type(name, 'Half');
    const failing = () => Promise.reject(new Error('Out of order'));
    for (const query of client.getQueryCache().getAll()) query.setOptions({ ...query.options, queryFn: failing });
    await act(() => client.refetchQueries({ queryKey: ['project', 1] }).catch(() => undefined));
    await act(() => client.refetchQueries());
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Half');
  });
});
