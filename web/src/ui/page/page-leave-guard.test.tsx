import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { showApp } from '../../testing/show-app.tsx';

const settings = async () => {
  const shown = await showApp('/project/1/settings');
  const name = await screen.findByLabelText<HTMLInputElement>('Project name');
  // Not awaited: it ends only when the confirmation is answered.
  const go = () => act(() => void shown.router.navigate({ to: '/project/$projectId/keys', params: { projectId: 1 } }));
  const confirmation = async () => within(await screen.findByRole('dialog', { name: 'Unsaved changes' }));
  return { ...shown, name, go, confirmation };
};

describe('a page with an unsaved form', () => {
  it('asks before the user opens another page, and keeps the typed values', async () => {
    const { user, name, go, confirmation, address } = await settings();
    await user.type(name, ' 2');
    go();
    await user.click((await confirmation()).getByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/project/1/settings');
    expect(name.value).toBe('Storefront 2');
  });

  it('continues after the confirmation', async () => {
    const { user, name, go, confirmation, address } = await settings();
    await user.type(name, ' 2');
    go();
    await user.click((await confirmation()).getByRole('button', { name: 'Discard' }));
    await screen.findByRole('heading', { name: 'Key Store' });
    expect(address()).toBe('/project/1/keys');
  });

  it('asks before the user leaves the console', async () => {
    const { user, name } = await settings();
    const leaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(leaving()).toBe(false);
    await user.type(name, ' 2');
    expect(leaving()).toBe(true);
  });

  it('does not ask if nothing was typed, or for a dialog over the page', async () => {
    const { user, router, name, go, address } = await settings();
    await user.type(name, ' 2');
    await act(() => router.navigate({ to: '.', search: { t: 7 } }));
    expect(screen.queryByRole('dialog', { name: 'Unsaved changes' })).toBeNull();
    await act(() => router.navigate({ to: '.', search: {} }));
    await user.clear(name);
    await user.type(name, 'Storefront');
    go();
    await screen.findByRole('heading', { name: 'Key Store' });
    expect(address()).toBe('/project/1/keys');
  });
});
