import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../testing/show.tsx';

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
