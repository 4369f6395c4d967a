import type { Event } from '@signalbox/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { answerCalls } from '../../testing/answering-fetch.ts';
import { HeldState } from '../../testing/held-state.tsx';
import { show } from '../../testing/show.tsx';
import type { PagedState } from '../../ui/list-state.ts';
import { ActivityPage } from './activity-page.tsx';

const event = (id: number, change: Partial<Event> = {}): Event => ({
  id,
  user_id: 1,
  project_id: 1,
  object_id: id,
  object_type: 'key',
  description: `Key number ${id} was made`,
  created: '2026-11-21T10:00:00.000Z',
  object_name: `number ${id}`,
  project_name: 'Storefront',
  username: 'mara',
  ...change,
});

const showActivity = async (events: Event[], start: PagedState = {}) => {
  answerCalls(() => ({ status: 200, body: events }));
  await show(
    <HeldState<PagedState> start={start}>
      {(state, onState) => <ActivityPage project={1} tabs={null} state={state} onState={onState} />}
    </HeldState>,
  );
  return userEvent.setup();
};
const firstRow = () => screen.getAllByRole('row')[1]?.textContent;

describe('the activity of a project', () => {
  it('has time, user and description, the newest on top, twenty rows a page', async () => {
    const user = await showActivity(Array.from({ length: 21 }, (_, at) => event(21 - at)));
    await screen.findByText('Key number 21 was made');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Time',
      'User',
      'Description',
    ]);
    expect(screen.getAllByRole('row')).toHaveLength(21);
    expect(firstRow()).toContain('Key number 21');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(screen.getAllByRole('row')).toHaveLength(2);
    expect(firstRow()).toContain('Key number 1 ');
  });

  it('narrows by what is typed, from its first page', async () => {
    const user = await showActivity(
      Array.from({ length: 41 }, (_, at) => event(41 - at)),
      { page: 3 },
    );
    await screen.findByText('Key number 1 was made');
    await user.type(screen.getByRole('searchbox'), 'number 40');
    expect(await screen.findByText('Key number 40 was made')).toBeTruthy();
    expect(screen.getAllByRole('row')).toHaveLength(2);
  });

  it('says so before anything has happened', async () => {
    await showActivity([]);
    expect(await screen.findByRole('heading', { level: 2 })).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });
});
