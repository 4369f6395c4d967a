import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { sampleTask } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { Details } from './details.tsx';

const ORIGINS = {
  ...{ runner_id: 2, runner_name: 'rack-1', schedule_id: 3, schedule_name: 'Nightly' },
  ...{ webhook_id: 4, webhook_name: 'Push' },
};

const showDetails = async (admin: boolean, permissions: number, change = {}) => {
  answerCalls(({ path }) => {
    if (path.endsWith('/role')) return { status: 200, body: { role: 'x', permissions } };
    return { status: 200, body: { admin } };
  });
  await show(<Details task={sampleTask({ ...ORIGINS, ...change })} />);
};

it('the details of a task link to its runner, its schedule and its webhook', async () => {
  await showDetails(true, 15);
  expect((await screen.findByRole('link', { name: 'rack-1' })).getAttribute('href')).toBe('/runners/2');
  expect((await screen.findByRole('link', { name: 'Nightly' })).getAttribute('href')).toBe(
    '/project/1/schedules?edit=3',
  );
  expect(screen.getByRole('link', { name: 'Push' }).getAttribute('href')).toBe('/project/1/webhooks/4');
});

it('the details of a task name a runner and a schedule that were deleted', async () => {
  await showDetails(true, 15, { runner_id: null, schedule_id: null, webhook_id: null });
  expect(screen.getByText('rack-1')).toBeTruthy();
  expect(screen.getByText('Nightly')).toBeTruthy();
  expect(screen.getByText('Push')).toBeTruthy();
  expect(screen.queryAllByRole('link')).toEqual([]);
});

it('the details of a task name the token with which its user started it', async () => {
  await showDetails(true, 15, { user_name: 'Ana', token_name: 'CI' });
  expect(await screen.findByText('Ana, token CI')).toBeTruthy();
});
