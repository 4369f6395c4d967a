import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { Snackbar } from './toast.tsx';
import { closeSnack, snack } from './toast-store.ts';

afterEach(() => act(closeSnack));

describe('the snackbar on the page', () => {
  it('says what happened, and goes with Close', async () => {
    render(<Snackbar />);
    expect(screen.queryByRole('button')).toBeNull();
    act(() => snack('ok', 'Key Deploy saved'));
    expect(screen.getByRole('status').textContent).toContain('Key Deploy saved');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText('Key Deploy saved')).toBeNull();
  });

  it('is as wide as what it says where there is room, not half of a narrow window', () => {
    const css = readFileSync(join(import.meta.dirname, 'snackbar.module.css'), 'utf8');
    expect(/\.snack \{[^}]*\}/.exec(css)?.[0]).toContain('width: max-content;');
  });

  it('shows one message, the newest', () => {
    render(<Snackbar />);
    act(() => {
      snack('ok', 'first');
      snack('error', 'second');
    });
    expect(screen.queryByText('first')).toBeNull();
    expect(screen.getByText('second')).toBeTruthy();
  });
});
