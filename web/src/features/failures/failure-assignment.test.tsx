import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { FailureAssignment } from './failure-assignment.tsx';

const DESCRIBED = { cause: null, title: 'disk full', result: 'failed' } as const;
const ASSIGNMENT = { user_id: 2, name: 'Ben', by: 'Ann', since: '2026-11-21T10:00:00.000Z', note: '' };

const showButton = async (assignment: typeof ASSIGNMENT | null) => {
  const calls = answerCalls(({ method, path }) => {
    if (method !== 'GET') return { status: 204 };
    if (path.endsWith('/user')) return { status: 200, body: { id: 1, name: 'Ann' } };
    if (path.endsWith('/users'))
      return {
        status: 200,
        body: [
          { id: 1, name: 'Ann' },
          { id: 2, name: 'Ben' },
        ],
      };
    return { status: 200, body: [] };
  });
  await show(<FailureAssignment project={1} failure={7} described={DESCRIBED} assignment={assignment} />);
  return () => calls.filter(({ method }) => method !== 'GET');
};

it('a user assigns a failure with a note, to themselves unless they choose another member', async () => {
  const written = await showButton(null);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Assign' }));
  const note = await screen.findByRole('textbox', { name: 'Note' });
  await user.type(note, 'on it');
  await user.keyboard('{Enter}');
  await screen.findByRole('button', { name: 'Assign' });
  expect(written()).toMatchObject([
    { method: 'PUT', path: expect.stringContaining('/failures/7/assignment'), body: { user_id: 1, note: 'on it' } },
  ]);
});

it('the assignment of a failure ends with one click', async () => {
  const written = await showButton(ASSIGNMENT);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Unassign' }));
  expect(written()).toMatchObject([{ method: 'DELETE' }]);
});
