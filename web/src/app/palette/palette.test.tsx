import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sampleTask, sampleTemplate } from '../../testing/sample.ts';
import { APP_USER, showApp } from '../../testing/show-app.tsx';

const openPalette = async (answers: Record<string, unknown> = {}) => {
  const shown = await showApp('/project/1/team', { answers });
  await screen.findByRole('heading', { level: 1, name: 'Team' });
  await shown.user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: 'Template, host, key, page, number' });
  return { ...shown, field };
};
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

describe('the palette', () => {
  it('opens with a key, finds entries by parts of their names, and opens them with Enter', async () => {
    const { address, field, user } = await openPalette();
    await user.type(field, 'reposi');
    expect(options()).toEqual(['RepositoriesPage']);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/project/1/repositories'));
    expect(screen.queryByRole('combobox', { name: /task number/ })).toBeNull();
  });

  it('runs a template, opens a task by its number, and changes the project', async () => {
    const { address, field, user } = await openPalette();
    await user.type(field, '#7');
    expect(options()[0]).toContain('#7');
    await user.clear(field);
    await user.type(field, 'data pl');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/project/2/history'));
  });

  it('shows a found task once, and names kinds of which only the first objects are shown', async () => {
    const hit = { project_id: 1, project_name: 'Storefront', detail: '', status: null };
    const hosts = Array.from({ length: 8 }, (_, at) => ({ ...hit, kind: 'host', id: at + 1, name: `web-41${at}` }));
    const { field, user } = await openPalette({
      '/api/search': [{ ...hit, kind: 'task', id: 41, name: 'Deploy', status: 'success' }, ...hosts],
    });
    await user.type(field, '#41');
    await waitFor(() => expect(options().filter((text) => text?.includes('#41'))).toEqual(['#41 Deploy']));
    const groups = within(screen.getByRole('listbox')).getAllByRole('group');
    expect(groups.map((group) => group.getAttribute('aria-label'))).toEqual(['Tasks', 'Hosts, the first 8']);
  });

  it('finds objects of all projects, grouped by kind, and opens the chosen one with Enter', async () => {
    const hit = { project_id: 1, project_name: 'Storefront', detail: '', status: null };
    const { address, calls, field, user } = await openPalette({
      '/api/search': [
        { ...hit, kind: 'task', id: 41, name: 'Deploy', detail: 'Autumn zebra', status: 'success' },
        { ...hit, kind: 'host', id: 3, name: 'zebra-01' },
        { ...hit, kind: 'key', id: 5, name: 'Zebra', project_id: 2, project_name: 'Data Platform' },
      ],
      '/api/project/2/keys': [],
    });
    await user.type(field, 'zeb');
    await waitFor(() => expect(options()).toEqual(['#41 Deploy · Autumn zebra', 'zebra-01', 'ZebraData Platform']));
    const list = within(screen.getByRole('listbox'));
    expect(list.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
      'Tasks',
      'Hosts',
      'Key Store',
    ]);
    expect(calls.filter(({ path }) => path === '/api/search').map(({ query }) => query.get('q'))).toEqual(['zeb']);
    await user.type(field, '{ArrowDown}{ArrowDown}{Enter}');
    await waitFor(() => expect(address()).toBe('/project/2/keys?edit=5'));
  });

  it('has one row for a template with its last status, opens it with Enter, runs it with Ctrl-Enter, and shows it first next time', async () => {
    const template = sampleTemplate({ id: 3, name: 'Zebra', last_task: sampleTask({ status: 'error' }) });
    const { address, field, user } = await openPalette({ '/api/project/1/templates': [template] });
    await user.type(field, 'zebra');
    await waitFor(() => expect(options()).toEqual(['ZebraFailedTemplate']));
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(address()).toBe('/project/1/team?run=3'));
    await user.keyboard('{Escape}{Control>}k{/Control}');
    await waitFor(() => expect(options()[0]).toBe('ZebraFailedTemplate'));
    expect(screen.getByRole('group', { name: 'Recent' })).toBeTruthy();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toContain('/project/1/templates/3'));
  });

  it('moves with the arrow keys, and wraps at the ends', async () => {
    const { field, user } = await openPalette();
    await waitFor(() => expect(options().length).toBeGreaterThan(3));
    const chosen = () => screen.getAllByRole('option').findIndex((one) => one.getAttribute('aria-selected') === 'true');
    expect(chosen()).toBe(0);
    await user.type(field, '{ArrowDown}{ArrowDown}');
    expect(chosen()).toBe(2);
    await user.type(field, '{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(chosen()).toBe(options().length - 1);
  });

  it('offers the pages of the system to administrators only, and shows when nothing matches', async () => {
    const { field, user, unmount } = await openPalette();
    await user.type(field, 'runners');
    expect(await screen.findByText('No matches.')).toBeTruthy();
    unmount();
    const admin = await openPalette({ '/api/user': { ...APP_USER, admin: true } });
    await admin.user.type(admin.field, 'runners');
    expect(options()).toEqual(['RunnersPage']);
  });
});

describe('the keyboard shortcuts', () => {
  it('open a page with two keys, and are listed by the ? key', async () => {
    const { address, user } = await showApp('/project/1/team');
    await screen.findByRole('heading', { level: 1, name: 'Team' });
    await user.keyboard('gk');
    await waitFor(() => expect(address()).toBe('/project/1/keys'));
    await user.keyboard('{Shift>}?{/Shift}');
    const dialog = await screen.findByRole('dialog', { name: /shortcuts/i });
    expect(within(dialog).getAllByText('g').length).toBeGreaterThan(0);
  });
});
