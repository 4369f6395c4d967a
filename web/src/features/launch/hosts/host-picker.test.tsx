import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { showDialog } from '../testing/show-dialog.tsx';

describe('the host picker', () => {
  it('counts typed hosts if the user leaves the picker by Tab, through its buttons', async () => {
    const { user } = await showDialog();
    await user.click(await screen.findByRole('button', { name: 'Limit to hosts: all 3 hosts' }));
    await user.type(screen.getByRole('combobox', { name: 'Limit to hosts' }), 'web-2');
    while (document.activeElement !== screen.getByLabelText('Message')) await user.tab();
    expect(screen.getByRole('button', { name: 'Limit to hosts: 1 of 3 hosts' })).toBeTruthy();
  });
});
