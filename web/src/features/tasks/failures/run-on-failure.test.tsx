import type { Failure } from '@signalbox/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { RunOnFailure } from './run-on-failure.tsx';

it('a failure is run again on all hosts on which it is not fixed', async () => {
  const names = Array.from({ length: 1001 }, (_, number) => number.toString(36));
  answerCalls(({ path, query }) => {
    const from = Number(query.get('from'));
    const hosts = path.endsWith('/failures/7/hosts') ? names.slice(from - 1, from + 999) : [];
    return { status: 200, body: { first: from, total: names.length, hosts } };
  });
  const onRun = vi.fn();
  const failure = { id: 7, project_id: 1, hosts: 12, open_hosts: 1001, seen: { last_task_id: 9 } } as Failure;
  await show(<RunOnFailure failure={failure} onRun={onRun} />);
  await userEvent.click(screen.getByRole('button', { name: /1,001 hosts/ }));
  await vi.waitFor(() => expect(onRun).toHaveBeenCalledWith(9, names.join(',')));
});
