import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { LiveNotice } from './live-notice.tsx';

const answers = ['before', 'first connection', 'after'];

const Shown = () => useQuery({ queryKey: ['status'], queryFn: () => Promise.resolve(answers.shift()) }).data;

it('data is requested again when the server reports that messages may have been missed', async () => {
  const { live } = await show(<Shown />);
  await screen.findByText('before');
  act(() => live.accept());
  await screen.findByText('first connection');
  act(() => live.send({ type: 'missed' }));
  await waitFor(() => expect(screen.getByText('after')).toBeTruthy());
});

it('a banner is shown while the browser has no network', async () => {
  const { live } = await show(<LiveNotice />);
  act(() => live.accept());
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => dispatchEvent(new Event('offline')));
  expect(screen.getByText('You are offline. The page may be out of date.')).toBeTruthy();
  expect(live.socket.state).toBe('lost');
  online.mockRestore();
  act(() => dispatchEvent(new Event('online')));
  expect(live.opened()).toBe(2);
  act(() => live.accept());
  expect(screen.queryByText(/offline/)).toBeNull();
});
