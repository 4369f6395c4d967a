import type { TaskComparison } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { comparisonQuery } from '../../../api/run-queries.ts';
import { sampleTask } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls } from '../../../testing/test-fetch.ts';
import { CompareOffer } from './compare-offer.tsx';

const task = sampleTask({ id: 9, status: 'error', commit_hash: 'b'.repeat(40) });
const other = sampleTask({ id: 4, commit_hash: 'a'.repeat(40) });
const SAME: TaskComparison = {
  ...{ other, changed: [], unknown: [], answers: [], versions: [], hosts: null },
  ...{ total: 0, different: 0, first: 1, steps: [] },
};
const DIFFERENT: TaskComparison = {
  ...SAME,
  changed: ['commit_hash', 'limit'],
  answers: [{ name: 'release', earlier: '1', later: '2' }],
  versions: [{ what: 'python', name: '', earlier: '3.12', later: '3.13' }],
  hosts: { added: ['a'], added_count: 3, removed: [], removed_count: 1, same_count: 5 },
};

/** Shows when the page has the answer that the offer waits for. */
const Answer = () => {
  const { data } = useQuery(comparisonQuery(task.project_id, task.id, undefined, true));
  return data ? <p>Answered</p> : null;
};

const open = async (comparison: TaskComparison, permissions = 5) => {
  const calls = answerCalls(({ path }) => {
    if (path.endsWith('/role')) return { status: 200, body: { role: 'manager', permissions } };
    if (path.endsWith('/commits')) return { status: 200, body: { commit_count: 2, file_count: 3 } };
    return { status: 200, body: comparison };
  });
  let compared = 0;
  await show(
    <>
      <CompareOffer task={task} onCompare={() => compared++} />
      <Answer />
    </>,
  );
  return { calls, compared: () => compared };
};

it('a failed task offers the comparison with the last success, and counts what differs', async () => {
  const { compared } = await open(DIFFERENT);
  await screen.findByText('Different: 2 commits, 3 files, 1 option, 1 answer, 1 version, and 4 hosts');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Compare with the last success, #4' }));
  expect(compared()).toBe(1);
});

it('commits count as one for a user who may not read repositories', async () => {
  const { calls } = await open({ ...DIFFERENT, answers: [], versions: [], hosts: null }, 1);
  await screen.findByText('Different: 1 commit and 1 option');
  expect(calls.some(({ path }) => path.endsWith('/commits'))).toBe(false);
});

it('the offer names that nothing differs', async () => {
  await open(SAME, 1);
  await screen.findByText('No commit, option, answer, version or host differs.');
});

it('no comparison is offered without an earlier success', async () => {
  await open({ ...SAME, other: null });
  await screen.findByText('Answered');
  expect(screen.queryByRole('button')).toBeNull();
});
