import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { APP_USER, showApp } from '../testing/show-app.tsx';
import { storage } from '../ui/browser/storage.ts';

const drawer = () => screen.findByRole('complementary', { name: 'Signalbox' });
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

describe('the router', () => {
  it('sends users without a session to the sign-in page, and returns to the requested page afterwards', async () => {
    const { address } = await showApp('/project/1/team', { isSignedIn: false });
    await waitFor(() => expect(address()).toBe('/auth/login?next=%2Fproject%2F1%2Fteam'));
  });

  it('keeps the token of a mailed link during the sign-in', async () => {
    const { address, unmount } = await showApp('/confirm-email#the-token', { isSignedIn: false });
    await waitFor(() => expect(address()).toBe('/auth/login?next=%2Fconfirm-email'));
    unmount();
    const back = await showApp('/confirm-email');
    await waitFor(() => expect(window.location.hash).toBe('#the-token'));
    expect(back.address()).toContain('/confirm-email');
    back.unmount();
    // It is kept for one way back only.
    await showApp('/confirm-email');
    expect(await screen.findByText(/link is incomplete|incomplete/i)).toBeTruthy();
  });

  it('redirects signed-in users away from the sign-in page', async () => {
    const { address } = await showApp('/auth/login');
    await waitFor(() => expect(address()).toBe('/project/1/history'));
  });

  it('redirects from the base page to the last visited project, or else to the first', async () => {
    const first = await showApp('/');
    await waitFor(() => expect(first.address()).toBe('/project/1/history'));
    first.unmount();
    storage.setLastProject(2);
    const second = await showApp('/');
    await waitFor(() => expect(second.address()).toBe('/project/2/history'));
  });

  it('redirects to the form of a new project while the user has no project', async () => {
    const { address } = await showApp('/', {
      answers: { '/api/projects': [], '/api/user': { ...APP_USER, can_create_project: true } },
    });
    await waitFor(() => expect(address()).toBe('/project/new'));
    await heading('New project');
    expect(screen.getByRole('button', { name: 'Create' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Create Demo Project' })).toBeTruthy();
  });

  it.each([
    ['/project/1', '/project/1/history', 'Dashboard'],
    ['/project/1/', '/project/1/history', 'Dashboard'],
    ['/project/1/activity', '/project/1/activity', 'Dashboard'],
    ['/project/1/settings', '/project/1/settings', 'Dashboard'],
    ['/project/1/templates', '/project/1/templates', 'Task Templates'],
    ['/project/1/views/3/templates', '/project/1/views/3/templates', 'Task Templates'],
    ['/project/1/templates/1', '/project/1/templates/1', 'Ping Site'],
    ['/project/1/views/3/templates/1', '/project/1/views/3/templates/1', 'Ping Site'],
    ['/project/1/inventory', '/project/1/inventory', 'Inventory'],
    ['/project/1/environment', '/project/1/environment', 'Environment'],
    ['/project/1/keys', '/project/1/keys', 'Key Store'],
    ['/project/1/repositories', '/project/1/repositories', 'Repositories'],
    ['/project/1/team', '/project/1/team', 'Team'],
  ])('%s leads to %s, which is %s', async (asked, reached, title) => {
    const { address } = await showApp(asked);
    await waitFor(() => expect(address()).toBe(reached));
    await heading(title);
  });

  it.each(['/project/1/templates/new', '/project/1/views/3/templates/new'])(
    '%s leads to the form of a new template',
    async (asked) => {
      const { address } = await showApp(asked);
      await waitFor(() => expect(address()).toBe('/project/1/templates/new/edit'));
      await screen.findByRole('dialog', { name: 'New template' });
    },
  );

  it.each(['/project/99', '/project/99/history', '/project/abc', '/project/abc/team'])(
    '%s shows that the project was not found, and stays',
    async (asked) => {
      const { address } = await showApp(asked);
      expect(await screen.findByText('Project not found')).toBeTruthy();
      expect(screen.getByRole('link', { name: 'Data Platform' })).toBeTruthy();
      expect(address()).not.toContain('/0');
    },
  );

  it('shows inside a project that a page was not found, with the drawer', async () => {
    await showApp('/project/1/nothing');
    expect(await screen.findByText('Page not found')).toBeTruthy();
    await drawer();
  });

  it('shows the users page only to administrators, with a link back to the last project', async () => {
    const guest = await showApp('/users');
    expect(await screen.findByText('Only system administrators can open this page')).toBeTruthy();
    guest.unmount();
    const { address, user } = await showApp('/users', {
      answers: { '/api/user': { ...APP_USER, admin: true }, '/api/users': [{ ...APP_USER, admin: true }] },
    });
    storage.setLastProject(2);
    await heading('Users');
    await user.click(screen.getByRole('link', { name: 'Back to the project' }));
    await waitFor(() => expect(address()).toBe('/project/2/history'));
  });

  it('shows when the first data could not be loaded, with buttons to refresh and to sign in again', async () => {
    const { sockets } = await showApp('/project/1/history', {
      answer: ({ path }) => (path === '/api/user' ? { status: 500, body: { error: 'It is broken.' } } : undefined),
    });
    expect(await screen.findByText('It is broken.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Relogin' })).toBeTruthy();
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(sockets()).toBe(0);
  });

  it('opens the first of the other projects when the current project is deleted', async () => {
    let isThere = true;
    const [storefront, platform] = ['Storefront', 'Data Platform'].map((name, at) => ({ id: at + 1, name }));
    const { address, user } = await showApp('/project/2/settings', {
      answer: ({ method, path }) => {
        if (method === 'DELETE') isThere = false;
        return path === '/api/projects'
          ? { status: 200, body: isThere ? [storefront, platform] : [storefront] }
          : undefined;
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Delete project' }));
    const dialog = within(await screen.findByRole('dialog', { name: /Delete project/ }));
    await user.type(dialog.getByLabelText('Type Data Platform to confirm'), 'Data Platform');
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(address()).toBe('/project/1/history'));
  });
});

describe('the billing page', () => {
  const billed = { ...APP_USER, billing: true };
  const tab = () => screen.queryByRole('link', { name: 'Billing' });

  it('is available to an owner with the billing flag', async () => {
    await showApp('/project/1/billing', { answers: { '/api/user': billed } });
    expect(await screen.findByText('Billing is coming soon.')).toBeTruthy();
    expect(tab()).toBeTruthy();
  });

  it.each([
    ['an owner without the flag', APP_USER, 'owner'],
    ['a manager with it', billed, 'manager'],
  ])('is not there for %s', async (_, user, role) => {
    const answers = { '/api/user': user, '/api/project/1/role': { role, permissions: 5 } };
    const shown = await showApp('/project/1/billing', { answers });
    expect(await screen.findByText('Page not found')).toBeTruthy();
    await drawer();
    shown.unmount();
    await showApp('/project/1/history', { answers });
    await screen.findByRole('link', { name: 'Activity' });
    expect(tab()).toBeNull();
  });
});

describe('a task in a dialog over a page', () => {
  it('is opened by the query parameter of the URL, which is removed when the dialog is closed', async () => {
    const { address, user } = await showApp('/project/1/team?t=7');
    const dialog = await screen.findByRole('dialog', { name: 'Ping Site Task #7' }, { timeout: 10_000 });
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(address()).toBe('/project/1/team'));
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => window.history.back());
    await waitFor(() => expect(address()).toBe('/project/1/team?t=7'));
  });
});
