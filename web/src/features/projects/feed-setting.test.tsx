import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { FeedSetting } from './feed-setting.tsx';

it('the address of a feed is made, shown once, and revoked', async () => {
  let active = false;
  const calls = answerCalls(({ method }) => {
    if (method === 'POST') {
      active = true;
      return { status: 201, body: { address: 'https://signalbox.example/api/feed/secret' } };
    }
    if (method === 'DELETE') {
      active = false;
      return { status: 204 };
    }
    return { status: 200, body: { active, created: null, created_by: active ? 'Ann' : '' } };
  });
  await show(<FeedSetting project={1} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Create address' }));
  expect(await screen.findByText('https://signalbox.example/api/feed/secret')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  expect(await screen.findByRole('button', { name: 'Create address' })).toBeTruthy();
  expect(screen.queryByText(/api\/feed/)).toBeNull();
  expect(calls.map(({ method }) => method).filter((method) => method !== 'GET')).toEqual(['POST', 'DELETE']);
});
