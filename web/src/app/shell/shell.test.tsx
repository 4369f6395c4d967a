import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refreshInstallation, refreshPart } from '../../live/refresh-part.ts';
import { APP_USER, showApp } from '../../testing/show-app.tsx';
import type { Given } from '../../testing/test-fetch.ts';
import { storage } from '../../ui/browser/storage.ts';

const drawer = () => screen.findByRole('complementary', { name: 'Signalbox' });
const project = (id: number, name: string) => ({
  id,
  name,
  alert: false,
  alert_chat: '',
  alert_language: 'en',
  alert_silent_hosts: false,
  collect_facts: true,
  keep_tasks_days: null,
  keep_logs_days: null,
  keep_tasks_min: null,
  max_parallel_tasks: 0,
});
const [FIRST, SECOND, THIRD] = [project(1, 'Storefront'), project(2, 'Data Platform'), project(3, 'Network')];

/** Returns a function that answers whether a text has appeared on the page since the call. */
const watchFor = (text: string): (() => boolean) => {
  let wasSeen = false;
  const observer = new MutationObserver(() => {
    wasSeen ||= document.body.textContent?.includes(text) ?? false;
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  onTestFinished(() => observer.disconnect());
  return () => wasSeen;
};

const styles = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

describe('the drawer', () => {
  it('has the links of a project in their order', async () => {
    await showApp('/project/1/history');
    const links = within(await screen.findByRole('navigation', { name: 'Project' })).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Dashboard', '/project/1/overview'],
      ['Task Templates', '/project/1/templates'],
      ['Failures', '/project/1/failures'],
      ['Schedules', '/project/1/schedules'],
      ['Webhooks', '/project/1/webhooks'],
      ['Inventory', '/project/1/inventory'],
      ['Environment', '/project/1/environment'],
      ['Key Store', '/project/1/keys'],
      ['Repositories', '/project/1/repositories'],
      ['Team', '/project/1/team'],
    ]);
  });

  it.each([
    ['/project/1/history', 'Dashboard'],
    ['/project/1/activity', 'Dashboard'],
    ['/project/1/hosts', 'Dashboard'],
    ['/project/1/settings', 'Dashboard'],
    ['/project/1/tasks/7', 'Dashboard'],
    ['/project/1/templates', 'Task Templates'],
    ['/project/1/templates/1', 'Task Templates'],
    ['/project/1/views/3/templates/1', 'Task Templates'],
    ['/project/1/keys', 'Key Store'],
  ])('highlights the current page at %s: %s', async (at, link) => {
    await showApp(at);
    const links = within(await screen.findByRole('navigation', { name: 'Project' })).getAllByRole('link');
    const marked = () =>
      links.filter((one) => one.getAttribute('aria-current') === 'page').map((one) => one.textContent);
    await waitFor(() => expect(marked().map((text) => text?.replace(/\d.*/, ''))).toEqual([link]));
  });

  it('links to the last visited view of each project', async () => {
    storage.setLastView(2, 9);
    const { user } = await showApp('/project/1/views/3/templates');
    await user.click(within(await drawer()).getByRole('link', { name: 'Team' }));
    await screen.findByRole('heading', { level: 1, name: 'Team' });
    const link = within(await drawer()).getByRole('link', { name: 'Task Templates' });
    expect(link.getAttribute('href')).toBe('/project/1/views/3/templates');
    expect(storage.lastView(2)).toBe(9);
  });

  it('forgets a view that was deleted', async () => {
    storage.setLastView(1, 99);
    await showApp('/project/1/views/99/templates');
    expect(await screen.findByText('View not found')).toBeTruthy();
    await waitFor(() => expect(storage.lastView(1)).toBeUndefined());
  });

  it('is 260 pixels wide, and slides in below 960', async () => {
    expect(styles('../../ui/theme/tokens.css')).toContain('--drawer: 260px;');
    expect(styles('shell.module.css')).toContain('grid-template-columns: var(--drawer) minmax(0, 1fr);');
    const { widths, user } = await showApp('/project/1/team', { isNarrow: true });
    expect(widths).toContain('(max-width: 960px)');
    expect(screen.queryByRole('complementary')).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Menu' }));
    const menu = await screen.findByRole('dialog', { name: 'Menu' });
    expect(within(menu).getByRole('link', { name: 'Key Store' })).toBeTruthy();
  });

  it('is closed with the project when the project is deleted or the user is removed from it', async () => {
    let isDeleted = false;
    const { client } = await showApp('/project/1/team', {
      answer: ({ path }) =>
        isDeleted && path.startsWith('/api/project/1/')
          ? { status: 404, body: { error: 'There is no such project.' } }
          : undefined,
    });
    await drawer();
    isDeleted = true;
    refreshPart(client, { type: 'changed', project_id: 1, part: 'users' });
    expect(await screen.findByText('Project not found')).toBeTruthy();
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(screen.getByRole('link', { name: 'Data Platform' })).toBeTruthy();
  });

  it('opens the first remaining project after a deletion, whenever the live message about it arrives', async () => {
    let isDeleted = false;
    const report = () => {
      refreshInstallation(app.client, { type: 'installation', part: 'projects' });
      refreshPart(app.client, { type: 'changed', project_id: 1, part: 'users' });
    };
    const reports = [report, report];
    // The list is answered only after the page has left the project, so that the fetch is still in progress until then.
    const list = Promise.withResolvers<Given>();
    const app = await showApp('/project/1/settings', {
      answers: { '/api/projects': [FIRST, SECOND, THIRD] },
      answer: ({ method, path }) => {
        if (method === 'DELETE') isDeleted = true;
        if (method === 'DELETE' || (isDeleted && path === '/api/project/1/role'))
          queueMicrotask(reports.shift() ?? (() => undefined));
        if (isDeleted && path === '/api/projects') return list.promise;
        return isDeleted && method === 'GET' && path.startsWith('/api/project/1/')
          ? { status: 404, body: { error: 'There is no such project.' } }
          : undefined;
      },
    });
    // Another tab has stored its own project as the last one.
    storage.setLastProject(3);
    const missing = watchFor('Project not found');
    await app.user.click(await screen.findByRole('button', { name: 'Delete project' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Delete project/ }));
    await app.user.type(dialog.getByLabelText('Type Storefront to confirm'), 'Storefront');
    await app.user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(app.address()).toBe('/project/2/history'));
    expect(await screen.findByRole('navigation', { name: 'Project' })).toBeTruthy();
    list.resolve({ status: 200, body: [SECOND, THIRD] });
    expect(missing()).toBe(false);
  });

  it('is not shown on pages outside of projects', async () => {
    await showApp('/project/new');
    await screen.findByRole('heading', { level: 1, name: 'New project' });
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});

describe('the project switcher', () => {
  it('shows every project with initials, and offers a new project to users with the permission', async () => {
    const { address, user } = await showApp('/project/1/history', {
      answers: { '/api/user': { ...APP_USER, can_create_project: true } },
    });
    const button = within(await drawer()).getByRole('button', { name: /Switch project/ });
    expect(button.textContent).toContain('ST');
    await user.click(button);
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
    expect(items).toEqual(['STStorefront', 'DPData Platform', 'Waiting and running tasks', 'New project...']);
    await user.click(screen.getByRole('menuitem', { name: /Data Platform/ }));
    await waitFor(() => expect(address()).toBe('/project/2/history'));
    await waitFor(() => expect(storage.lastProject()).toBe(2));
  });

  it('offers no new project to users without the permission', async () => {
    const { user } = await showApp('/project/1/history');
    await user.click(within(await drawer()).getByRole('button', { name: /Switch project/ }));
    await screen.findByRole('menuitem', { name: /Storefront/ });
    expect(screen.queryByRole('menuitem', { name: 'New project...' })).toBeNull();
  });
});

describe('the drawer of narrow windows', () => {
  it('closes with Esc, but not with the Esc of a dialog that was opened from it', async () => {
    const { user } = await showApp('/project/1/history', { isNarrow: true });
    await user.click(await screen.findByRole('button', { name: 'Menu' }, { timeout: 10_000 }));
    const menu = await screen.findByRole('dialog', { name: 'Menu' });
    await user.click(within(menu).getByRole('button', { name: /Mara Vogt/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit Account' }));
    const account = await screen.findByRole('dialog', { name: /^Edit account/ }, { timeout: 10_000 });
    await user.type(within(account).getByRole('textbox', { name: 'Name' }), ' half');
    await user.keyboard('{Escape}');
    expect(await within(account).findByText('Your changes will be lost.')).toBeTruthy();
    await user.click(within(account).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Edit account/ })).toBeNull());
    within(menu)
      .getByRole('button', { name: /Mara Vogt/ })
      .focus();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull());
  });
});

describe('the footer of the drawer', () => {
  const openMenu = async (user: Awaited<ReturnType<typeof showApp>>['user']) => {
    await user.click(within(await drawer()).getByRole('button', { name: /Mara Vogt/ }));
    return (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
  };

  it('offers every user their account and Sign out, and administrators the users page', async () => {
    const plain = await showApp('/project/1/history');
    const few = await openMenu(plain.user);
    expect(few).toContain('Edit Account');
    expect(few).toContain('Sign Out');
    expect(few).not.toContain('Users');
    plain.unmount();
    const admin = await showApp('/project/1/history', { answers: { '/api/user': { ...APP_USER, admin: true } } });
    expect(await openMenu(admin.user)).toContain('Users');
  });

  it('ends the session on the server when the user signs out', async () => {
    const { calls, user } = await showApp('/project/1/history');
    await openMenu(user);
    await user.click(screen.getByRole('menuitem', { name: 'Sign Out' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')).toMatchObject({ path: '/api/auth/logout' }),
    );
  });

  it('has a switch for the dark mode and a menu of the languages', async () => {
    const { user } = await showApp('/project/1/history');
    const dark = within(await drawer()).getByRole('switch', { name: 'Dark mode' });
    expect(dark.getAttribute('aria-checked')).toBe('false');
    await user.click(dark);
    expect(dark.getAttribute('aria-checked')).toBe('true');
    expect(within(await drawer()).getByRole('button', { name: /Language/ })).toBeTruthy();
  });
});
