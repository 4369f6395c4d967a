import type { SavedFilter } from '@signalbox/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sampleTask } from '../../../../testing/sample.ts';
import { show, testSocket } from '../../../../testing/show.tsx';
import { answerCalls } from '../../../../testing/test-fetch.ts';
import { TestState } from '../../../../testing/use-test-state.tsx';
import { currentToast } from '../../../../ui/toast/toast-store.ts';
import { HistoryPage } from '../history-page.tsx';
import type { HistoryState } from '../history-state.ts';

const ANY = {
  search: '',
  status: null,
  end_reason: null,
  template_id: null,
  user_id: null,
  days: null,
  from: null,
  to: null,
};
const FAILED: SavedFilter = { id: 1, project_id: 1, name: 'Failed', shared: true, filter: { ...ANY, status: 'error' } };
const MINE: SavedFilter = { id: 2, project_id: 1, name: 'Mine', shared: false, filter: { ...ANY, user_id: 3 } };

interface Options {
  filters?: SavedFilter[];
  start?: HistoryState;
  permissions?: number;
  /** What changes of a filter answer. */
  refusal?: { status: number; body: object };
}

const showHistory = async ({ filters = [FAILED, MINE], start = {}, permissions = 5, refusal }: Options = {}) => {
  const calls = answerCalls(({ method, path, body }) => {
    if (path.endsWith('/role')) return { status: 200, body: { role: 'x', permissions } };
    if (path.endsWith('/tasks')) return { status: 200, body: [sampleTask({ id: 5 })] };
    if (path.endsWith('/filters') && method === 'POST') {
      const made = { ...MINE, ...(body as object), id: 9 };
      filters.push(made);
      return { status: 201, body: made };
    }
    if (path.endsWith('/filters')) return { status: 200, body: filters };
    if (path.includes('/filters/')) return refusal ?? { status: 204 };
    return { status: 200, body: [] };
  });
  const live = testSocket();
  const states: HistoryState[] = [];
  await show(
    <TestState start={start} onChange={(state) => states.push(state)}>
      {(state, onState) => <HistoryPage tabs={null} project={1} state={state} onState={onState} />}
    </TestState>,
    { live },
  );
  await screen.findByRole('link', { name: '#5' });
  const changes = () => calls.flatMap(({ method, path, body }) => (method === 'GET' ? [] : [[method, path, body]]));
  return { live, states, changes, filters, user: userEvent.setup() };
};

const tabs = async () => within(await screen.findByRole('navigation', { name: 'Saved filters' })).getAllByRole('link');
const currentTab = async () => (await tabs()).find((tab) => tab.hasAttribute('aria-current'))?.textContent;
const button = (name: string) => screen.findByRole('button', { name });

describe('the saved filters of the history', () => {
  it('are tabs after All, private ones first, that lead to their filter', async () => {
    await showHistory();
    const shown = await tabs();
    expect(shown.map(({ textContent }) => textContent)).toEqual(['All', 'Mine', 'Failed']);
    expect(shown.map((tab) => tab.getAttribute('href'))).toEqual([
      '/project/1/history',
      '/project/1/history?user=3&filter=2',
      '/project/1/history?status=error&filter=1',
    ]);
    expect(await currentTab()).toBe('All');
    expect(screen.queryByRole('button', { name: 'Save filter' })).toBeNull();
  });

  it('are saved from the current filter, and shared by users who may edit templates', async () => {
    const { user, changes, states } = await showHistory({ filters: [], start: { status: 'error', q: '#5' } });
    expect(screen.queryByRole('navigation', { name: 'Saved filters' })).toBeNull();
    await user.click(await button('Save filter'));
    const dialog = within(await screen.findByRole('dialog', { name: /Save filter/ }));
    await user.type(dialog.getByLabelText('Name'), ' Broken web ');
    await user.click(dialog.getByLabelText('Share with the project'));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    const body = { name: 'Broken web', shared: true, filter: { ...ANY, search: '#5', status: 'error' } };
    await waitFor(() => expect(changes()).toEqual([['POST', '/api/project/1/filters', body]]));
    await waitFor(async () => expect(await currentTab()).toBe('Broken web'));
    expect(states.at(-1)).toMatchObject({ filter: 9, status: 'error', q: '#5' });
  });

  it('are replaced by the current filter, renamed and deleted in the menu of their tab', async () => {
    const { user, changes, states } = await showHistory({ start: { filter: 1, status: 'stopped' } });
    expect(await currentTab()).toBe('Failed');
    const open = async (entry: string) => {
      await user.click(await button('Saved filter'));
      await user.click(await screen.findByRole('menuitem', { name: entry }));
    };
    await open('Update with the current filter');
    const path = '/api/project/1/filters/1';
    await waitFor(() => expect(changes()).toEqual([['PUT', path, { filter: { ...ANY, status: 'stopped' } }]]));
    await open('Rename');
    const dialog = within(await screen.findByRole('dialog', { name: /Rename/ }));
    await user.type(dialog.getByLabelText('Name'), ' tasks');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(changes()[1]).toEqual(['PUT', path, { name: 'Failed tasks', shared: true }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await open('Delete filter');
    const ask = within(await screen.findByRole('dialog', { name: /Delete filter/ }));
    await user.click(ask.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(changes()[2]).toEqual(['DELETE', path, undefined]));
    await waitFor(() => expect(states.at(-1)).toMatchObject({ filter: undefined, status: 'stopped' }));
  });

  it('keep the days: a number of days, or a first and a last day', async () => {
    const dates: SavedFilter = {
      ...MINE,
      id: 3,
      name: 'May',
      filter: { ...ANY, from: '2026-05-01', to: '2026-05-31' },
    };
    const { user, changes } = await showHistory({ filters: [dates], start: { days: 7 } });
    expect((await tabs()).at(-1)?.getAttribute('href')).toBe(
      '/project/1/history?from=2026-05-01&to=2026-05-31&filter=3',
    );
    await user.click(await button('Save filter'));
    const dialog = within(await screen.findByRole('dialog', { name: /Save filter/ }));
    await user.type(dialog.getByLabelText('Name'), 'This week');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(changes()[0]?.[2]).toMatchObject({ filter: { ...ANY, days: 7 } }));
  });

  it('that are shared are not changed by users who may not edit templates, who save own ones', async () => {
    const { user } = await showHistory({ permissions: 1, start: { filter: 1, status: 'stopped' } });
    await user.click(await button('Save as new filter'));
    expect(screen.queryByRole('button', { name: 'Saved filter' })).toBeNull();
    expect(await screen.findByLabelText('Name')).toBeTruthy();
    expect(screen.queryByLabelText('Share with the project')).toBeNull();
  });

  it('of other users appear and disappear live, and the list stays as it is', async () => {
    const { live, filters, user } = await showHistory({
      start: { filter: 1, status: 'error' },
      refusal: { status: 404, body: { error: 'This was deleted.', code: 'not_found' } },
    });
    act(() => live.accept());
    filters.push({ ...FAILED, id: 3, name: 'Stopped' });
    act(() => live.send({ type: 'changed', project_id: 1, part: 'filters' }));
    await waitFor(async () => expect((await tabs()).at(-1)?.textContent).toBe('Stopped'));
    // The message about a deletion has not arrived yet.
    filters.splice(0, 1);
    await user.click(await button('Saved filter'));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete filter' }));
    const ask = within(await screen.findByRole('dialog', { name: /Delete filter/ }));
    await user.click(ask.getByRole('button', { name: 'Delete' }));
    await waitFor(async () => expect(await currentTab()).toBe('All'));
    expect(currentToast()?.kind).toBe('error');
    expect(screen.getByRole('link', { name: '#5' })).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'Status' })).toHaveProperty('value', 'Failed');
  });
});
