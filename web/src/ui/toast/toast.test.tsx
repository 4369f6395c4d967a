import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Toast } from './toast.tsx';
import { closeToast, showToast } from './toast-store.ts';

// A toast of another test may come after that test has ended.
beforeEach(closeToast);
afterEach(() => act(closeToast));

describe('the toast on the page', () => {
  it('shows a message, and disappears with Close', async () => {
    render(<Toast />);
    expect(screen.queryByRole('button')).toBeNull();
    act(() => showToast('ok', 'Key Deploy saved'));
    expect(screen.getByRole('status').textContent).toContain('Key Deploy saved');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText('Key Deploy saved')).toBeNull();
  });

  it('is as wide as its text if the window has space', () => {
    const css = readFileSync(join(import.meta.dirname, 'toast.module.css'), 'utf8');
    expect(/\.toast \{[^}]*\}/.exec(css)?.[0]).toContain('width: max-content;');
  });

  it('shows only the newest message', () => {
    render(<Toast />);
    act(() => {
      showToast('ok', 'first');
      showToast('error', 'second');
    });
    expect(screen.queryByText('first')).toBeNull();
    expect(screen.getByText('second')).toBeTruthy();
  });
});
