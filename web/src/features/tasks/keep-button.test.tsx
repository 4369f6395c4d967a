import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { currentToast } from '../../ui/toast/toast-store.ts';
import { KeepButton } from './keep-button.tsx';

const showButton = async (kept: boolean) => {
  const calls = answerCalls(() => ({ status: 204 }));
  await show(<KeepButton task={{ id: 5, project_id: 1, kept }} />);
  return { calls, user: userEvent.setup() };
};

describe('the button that keeps a task', () => {
  it.each([
    [false, /^Keep/, 'Task #5 and its log stay.'],
    [true, /^No longer keep/, 'Retention applies to task #5 again.'],
  ])('changes whether retention may remove it, from %s', async (kept, label, text) => {
    const { calls, user } = await showButton(kept);
    const button = await screen.findByRole('button', { name: label });
    expect(button.getAttribute('aria-pressed')).toBe(String(kept));
    await user.click(button);
    await waitFor(() => expect(currentToast()?.text).toBe(text));
    expect(calls[0]).toMatchObject({ method: 'PUT', path: '/api/project/1/tasks/5/keep', body: { kept: !kept } });
  });
});
