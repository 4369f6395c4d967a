import type { Event } from '@signalbox/contract';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../lang/language.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TestState } from '../../testing/use-test-state.tsx';
import type { PagedState } from '../../ui/lists/list-state.ts';
import { ActivityPage } from './activity-page.tsx';

const event = (id: number, change: Partial<Event> = {}): Event => ({
  id,
  user_id: 1,
  project_id: 1,
  object_id: id,
  object_type: 'key',
  kind: 'text',
  params: { text: `Key number ${id} was made` },
  description: `Key number ${id} was made`,
  created: '2026-11-21T10:00:00.000Z',
  object_name: `number ${id}`,
  project_name: 'Storefront',
  username: 'mara',
  token_name: '',
  ...change,
});

const showActivity = async (events: Event[], start: PagedState = {}) => {
  answerCalls(() => ({ status: 200, body: events }));
  await show(
    <TestState<PagedState> start={start}>
      {(state, onState) => <ActivityPage project={1} tabs={null} state={state} onState={onState} />}
    </TestState>,
  );
  return userEvent.setup();
};
const firstRow = () => screen.getAllByRole('row')[1]?.textContent;

afterEach(async () => {
  await chooseLanguage('en');
});

describe('the activity of a project', () => {
  it('shows time, user and description, newest first, with 20 rows per page', async () => {
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

  it('names the token with which a user did something', async () => {
    await showActivity([event(1, { token_name: 'CI' })]);
    expect(await screen.findByText('mara, token CI')).toBeTruthy();
  });

  it('is filtered while the user types, and returns to its first page', async () => {
    const user = await showActivity(
      Array.from({ length: 41 }, (_, at) => event(41 - at)),
      { page: 3 },
    );
    await screen.findByText('Key number 1 was made');
    await user.type(screen.getByRole('searchbox'), 'number 40');
    expect(await screen.findByText('Key number 40 was made')).toBeTruthy();
    expect(screen.getAllByRole('row')).toHaveLength(2);
  });

  it('shows each event in the language of the console, also after the language changes', async () => {
    const task = { id: 7, template: 'Web <b>' };
    const reason = { code: 'conflict.no_build' };
    const missed = { name: 'Nightly', template: 'Web', time: '2026-03-01 03:00', zone: 'UTC', reason };
    await showActivity([
      event(1, { kind: 'task.failed', params: task, description: 'Task #7 of Web <b> failed' }),
      event(2, { kind: 'schedule.not_started', params: missed, description: 'no task' }),
      event(3, { kind: 'retention.tasks_removed', params: { count: 2 }, description: 'removed' }),
      event(4, { kind: 'newer.kind', params: {}, description: 'Something new' }),
    ]);
    expect(await screen.findByText('Task #7 of Web <b> failed')).toBeTruthy();
    await act(() => chooseLanguage('de'));
    expect(await screen.findByText('Aufgabe #7 der Vorlage Web <b> ist fehlgeschlagen')).toBeTruthy();
    expect(
      screen.getByText(/^Zeitplan Nightly der Vorlage Web hat um 2026-03-01 03:00 UTC keine Aufgabe/),
    ).toBeTruthy();
    expect(screen.getByText('Nach Ablauf der Aufbewahrungsfrist entfernt: 2 Aufgaben')).toBeTruthy();
    expect(screen.getByText('Something new')).toBeTruthy();
    await act(() => chooseLanguage('ru'));
    expect(await screen.findByText('Удалено по сроку хранения: 2 задачи')).toBeTruthy();
  });

  it('shows an empty state before anything has happened', async () => {
    await showActivity([]);
    expect(await screen.findByRole('heading', { level: 2 })).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });
});
