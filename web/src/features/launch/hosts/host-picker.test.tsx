import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleTemplate } from '../../../testing/sample.ts';
import { showDialog } from '../testing/show-dialog.tsx';

describe('the host picker', () => {
  it('counts what would run also before a typed text is entered', async () => {
    const { user, posts } = await showDialog({ template: sampleTemplate({ id: 6 }) });
    await user.click(await screen.findByRole('button', { name: 'Limit to hosts: all 3 hosts' }));
    const input = screen.getByRole('combobox', { name: 'Limit to hosts' });
    await user.type(input, '!');
    expect(screen.getByRole('button', { name: 'Run on 3 hosts' })).toBeTruthy();
    await user.type(input, '{Backspace}web-2');
    expect(await screen.findByRole('button', { name: 'Limit to hosts: 1 of 3 hosts' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Run on 1 host' }));
    await waitFor(() => expect(posts()[0]?.body).toMatchObject({ limit: 'web-2' }));
  });

  it('counts typed hosts if the user leaves the picker by Tab, through its buttons', async () => {
    const { user } = await showDialog();
    await user.click(await screen.findByRole('button', { name: 'Limit to hosts: all 3 hosts' }));
    await user.type(screen.getByRole('combobox', { name: 'Limit to hosts' }), 'web-2');
    while (document.activeElement !== screen.getByLabelText('Message')) await user.tab();
    expect(screen.getByRole('button', { name: 'Limit to hosts: 1 of 3 hosts' })).toBeTruthy();
  });
});
